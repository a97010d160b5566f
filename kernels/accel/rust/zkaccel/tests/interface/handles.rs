//! What is made in a context keeps it alive, is freed with its owner, and works in its own context only.

use std::thread;

use zkaccel::{
    Backend, Bases, BasesOptions, Buffer, Config, Context, Domain, HostMemory, Status, Stream, Transform,
    VectorOp,
    limbs::{Fq, Fr, G1Affine},
};

/// 2^256 modulo r: 1 in Montgomery form.
const ONE: Fr =
    Fr([0xac96_341c_4fff_fffb, 0x36fc_7695_9f60_cd29, 0x666e_a36f_7879_462e, 0x0e0a_77c1_9a07_df2f]);

fn context() -> Context {
    Context::new(&Config { backend: Backend::Cpu, threads: 2, ..Config::default() })
        .expect("the CPU is there")
}

#[test]
fn a_buffer_outlives_the_variable_of_its_context() {
    let buffer = Buffer::of(&context(), &[ONE; 3]).unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [ONE; 3]);
}

#[test]
fn all_memory_is_released_with_its_owners() {
    let context = context();
    let before = context.memory().unwrap().now;
    let buffer = Buffer::<Fr>::new(&context, 1 << 10).unwrap();
    let bases = Bases::new(&context, &[G1Affine::default(); 64], BasesOptions::default()).unwrap();
    let domain = Domain::new(&context, 8, 9).unwrap();
    let memory = HostMemory::<Fr>::new(&context, 64).unwrap();
    assert!(context.memory().unwrap().now.host > before.host + (32 << 10));
    drop((buffer, bases, domain, memory));
    assert_eq!(context.memory().unwrap().now, before);
}

#[test]
fn what_is_of_another_context_is_refused_with_words() {
    let (one, other) = (context(), context());
    let a = Buffer::of(&one, &[ONE]).unwrap();
    let mut b = Buffer::of(&other, &[ONE]).unwrap();
    let domain = Domain::new(&other, 0, 0).unwrap();
    let mut copy = Buffer::of(&one, &[ONE]).unwrap();
    for refused in [
        one.at_once().apply_to(VectorOp::Add, &mut b, &a),
        other.at_once().apply_to(VectorOp::Add, &mut b, &a),
        one.at_once().ntt(&domain, &mut [&mut copy], Transform::FORWARD),
    ] {
        let error = refused.unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument);
        assert!(error.message().ends_with("of another context"), "{error}");
    }
    assert_eq!(b.to_vec().unwrap(), [ONE]);
}

#[test]
fn the_memory_of_a_context_is_bounded_and_a_failure_says_by_what() {
    let config = Config { backend: Backend::Cpu, threads: 1, host_bytes_max: 1 << 20, ..Config::default() };
    let context = Context::new(&config).unwrap();
    let error = Buffer::<Fq>::new(&context, 1 << 16).unwrap_err();
    assert_eq!(error.status(), Status::OutOfHostMemory);
    assert!(error.message().contains("beyond the limit of 1048576"), "{error}");
    assert!(Buffer::<Fq>::new(&context, 1 << 10).is_ok());
}

#[test]
fn a_gpu_that_is_not_there_is_an_error_and_not_the_cpu() {
    // A machine with a GPU and the plug-in next to the library may well have the context.
    match Context::new(&Config { backend: Backend::Cuda, ..Config::default() }) {
        Ok(context) => assert!(context.describe().unwrap().contains("\"backend\":\"cuda\"")),
        Err(error) => {
            assert!([Status::NoDevice, Status::Driver].contains(&error.status()), "{error}");
            assert!(!error.message().is_empty());
        }
    }
}

#[test]
fn a_context_describes_itself() {
    let description = context().describe().unwrap();
    assert!(description.starts_with("{\"backend\":\"cpu\","), "{description}");
    assert!(description.contains("\"threads\":2"), "{description}");
}

#[test]
fn threads_share_a_context_and_its_buffers() {
    let context = context();
    let column = Buffer::of(&context, &[ONE; 1 << 10]).unwrap();
    let domain = Domain::new(&context, 10, 10).unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let queue = context.at_once();
                let mut copy = Buffer::new(&context, column.len()).unwrap();
                queue.copy(&column, 0, &mut copy, 0, column.len()).unwrap();
                queue.ntt(&domain, &mut [&mut copy], Transform::FORWARD).unwrap();
                queue.ntt(&domain, &mut [&mut copy], Transform::INVERSE).unwrap();
                assert_eq!(copy.to_vec().unwrap(), [ONE; 1 << 10]);
            });
        }
    });
}

#[test]
fn host_memory_is_a_slice_of_zeros_that_buffers_read_and_write() {
    let context = context();
    let mut memory = HostMemory::<Fr>::new(&context, 5).unwrap();
    assert_eq!(*memory, [Fr::default(); 5]);
    memory.fill(ONE);
    let mut buffer = Buffer::new(&context, 5).unwrap();
    context.at_once().write(&mut buffer, 0, &memory).unwrap();
    memory.fill(Fr::default());
    context.at_once().read(&buffer, 1, &mut memory[..3]).unwrap();
    assert_eq!(*memory, [ONE, ONE, ONE, Fr::default(), Fr::default()]);
    assert!(HostMemory::<Fr>::new(&context, 0).unwrap().is_empty());
    assert_eq!(HostMemory::<Fr>::new(&context, usize::MAX / 2).unwrap_err().status(), Status::Size);
}

#[test]
fn what_may_be_sent_and_shared_is() {
    fn is_sent_and_shared<T: Send + Sync>() {}
    is_sent_and_shared::<Context>();
    is_sent_and_shared::<Buffer<Fr>>();
    is_sent_and_shared::<Bases<G1Affine>>();
    is_sent_and_shared::<Domain>();
    is_sent_and_shared::<HostMemory<Fr>>();
    is_sent_and_shared::<zkaccel::Program<Fr>>();
    is_sent_and_shared::<Stream>();
    is_sent_and_shared::<zkaccel::Canceller>();
}
