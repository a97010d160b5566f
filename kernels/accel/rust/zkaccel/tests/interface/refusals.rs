//! Wrong sizes and values return a status and words, and nothing panics or reads where it must not.

use zkaccel::{
    Backend, Bases, BasesOptions, Buffer, Config, Context, Domain, Error, Instruction, Operand, Operation,
    PermuteOrder, Program, ProgramSource, Status, Transform, VectorOp,
    limbs::{Fq, Fr, G1, G1Affine},
};

fn context() -> Context {
    Context::new(&Config { backend: Backend::Cpu, threads: 1, ..Config::default() })
        .expect("the CPU is there")
}

fn zeros(context: &Context, n: usize) -> Buffer<Fr> {
    Buffer::new(context, n).expect("there is memory")
}

/// 2^256 modulo q: 1 in Montgomery form.
const ONE: Fq =
    Fq([0xd35d_438d_c58f_0d9d, 0x0a78_eb28_f5c7_0b3d, 0x666e_a36f_7879_462c, 0x0e0a_77c1_9a07_df2f]);
const TWO: Fq =
    Fq([0xa6ba_871b_8b1e_1b3a, 0x14f1_d651_eb8e_167b, 0xccdd_46de_f0f2_8c58, 0x1c14_ef83_340f_be5e]);
/// The modulus q, which is no element.
const MODULUS: Fq =
    Fq([0x3c20_8c16_d87c_fd47, 0x9781_6a91_6871_ca8d, 0xb850_45b6_8181_585d, 0x3064_4e72_e131_a029]);
const GENERATOR: G1Affine = G1Affine { x: ONE, y: TWO };

#[track_caller]
fn refused<T>(result: Result<T, Error>, status: Status) {
    let Err(error) = result else { panic!("nothing was refused") };
    assert_eq!(error.status(), status, "{error}");
    assert!(!error.message().is_empty());
}

#[test]
fn ranges_beyond_a_buffer_are_a_matter_of_size() {
    let context = context();
    let queue = context.at_once();
    let (mut four, three) = (zeros(&context, 4), zeros(&context, 3));
    refused(context.at_once().write(&mut four, 2, &[Fr::default(); 3]), Status::Size);
    refused(context.at_once().write(&mut four, usize::MAX, &[Fr::default(); 3]), Status::Size);
    refused(context.at_once().read(&three, 3, &mut [Fr::default()]), Status::Size);
    refused(queue.copy(&three, 1, &mut four, 0, 3), Status::Size);
    refused(queue.copy_within(&mut four, 0, 2, 3), Status::Size);
    refused(queue.apply_to(VectorOp::Mul, &mut four, &three), Status::Size);
    refused(queue.scale_add(Fr::default(), &three, None, &mut four), Status::Size);
    refused(queue.invert(&mut four, 2..5), Status::Size);
    refused(queue.invert(&mut four, ..=usize::MAX), Status::Size);
    let (begin, end) = (3, 2);
    refused(queue.invert(&mut four, begin..end), Status::Size);
    let mut z = zeros(&context, 4);
    refused(queue.grand_product(&four, &four, Fr::default(), 4, &mut z), Status::Size);
    refused(Buffer::<Fr>::new(&context, usize::MAX), Status::Size);
}

#[test]
fn lists_that_do_not_fit_together_are_a_matter_of_size() {
    let context = context();
    let queue = context.at_once();
    let (mut poly, mut out) = (zeros(&context, 4), zeros(&context, 4));
    let zero = Fr::default();
    refused(context.at_once().divide(&mut poly, 4, &[zero; 2], &mut [zero]), Status::Size);
    refused(context.at_once().divide(&mut poly, 5, &[zero], &mut [zero]), Status::Size);
    refused(queue.divide_exactly(&mut poly, 5, &[zero]), Status::Size);
    refused(context.at_once().evaluate(&[&poly], &[zero; 2], &mut [zero]), Status::Size);
    refused(queue.fold(&[&poly, &poly], zero, Some(&[&[zero]]), &mut out), Status::Size);
    refused(queue.fold(&[&poly], zero, Some(&[&[zero; 5]]), &mut out), Status::Size);
    let bases = Bases::new(&context, &[GENERATOR; 3], BasesOptions::default()).unwrap();
    refused(bases.msm(&poly), Status::Size);
    refused(context.at_once().msm(&bases, 1, &poly, 0, 3, &mut [G1::default()]), Status::Size);
    refused(context.at_once().msm(&bases, 0, &poly, 0, 3, &mut [G1::default(); 2]), Status::Size);
    refused(context.msm_once(&[GENERATOR; 2], &[zero]), Status::Size);
    refused(context.to_affine(&[G1::default(); 2], &mut [GENERATOR]), Status::Size);
    let mut s_out = zeros(&context, 3);
    refused(queue.permute(&poly, &poly, 4, PermuteOrder::LastMeets, &mut out, &mut s_out), Status::Size);
}

#[test]
fn a_domain_takes_its_own_lengths_only() {
    let context = context();
    let queue = context.at_once();
    let domain = Domain::new(&context, 2, 3).unwrap();
    let (mut four, mut eight, mut five) = (zeros(&context, 4), zeros(&context, 8), zeros(&context, 5));
    refused(queue.ntt(&domain, &mut [&mut five], Transform::FORWARD), Status::Size);
    refused(queue.ntt(&domain, &mut [&mut four, &mut eight], Transform::FORWARD), Status::Size);
    refused(queue.coeff_to_extended(&domain, &eight, &mut four), Status::Size);
    refused(queue.extended_to_coeff(&domain, &mut four), Status::Size);
    refused(queue.divide_by_vanishing(&domain, &mut five), Status::Size);
    refused(Domain::new(&context, 3, 2), Status::Size);
    refused(Domain::new(&context, 29, 29), Status::Size);
    refused(Domain::with_roots(&context, 1, 1, Fr::default(), Fr::default()), Status::InvalidArgument);
}

#[test]
fn elements_and_points_that_are_none_are_told_with_their_place() {
    let context = context();
    let mut column = zeros(&context, 2);
    let beyond = Fr([u64::MAX; 4]);
    refused(context.at_once().write(&mut column, 0, &[Fr::default(), beyond]), Status::NonCanonical);
    refused(context.at_once().powers(beyond, Fr::default(), &mut column), Status::NonCanonical);
    let at = |points: &[G1Affine]| Bases::new(&context, points, BasesOptions::default()).unwrap_err();
    let off_curve = at(&[GENERATOR, G1Affine { x: ONE, y: ONE }, G1Affine { x: TWO, y: ONE }]);
    assert_eq!((off_curve.status(), off_curve.bad_index()), (Status::NotOnCurve, Some(1)));
    let modulus = at(&[GENERATOR, GENERATOR, G1Affine { x: MODULUS, y: TWO }]);
    assert_eq!((modulus.status(), modulus.bad_index()), (Status::NonCanonical, Some(2)));
    assert!(Bases::new(&context, &[G1Affine::default()], BasesOptions::default()).is_ok());
}

#[test]
fn a_program_is_checked_before_it_runs() {
    let context = context();
    let column = Operand::Column { index: 0, rotation: 2 };
    let sound = ProgramSource::<Fr> {
        code: vec![Instruction { register: 0, operation: Operation::Add(column, Operand::Challenge(0)) }],
        columns: 1,
        challenges: 1,
        registers: 1,
        ..ProgramSource::default()
    };
    let with =
        |operation| ProgramSource { code: vec![Instruction { register: 0, operation }], ..sound.clone() };
    for wrong in [Operand::Register(0), Operand::Register(1), Operand::Constant(0), Operand::Challenge(1)] {
        refused(Program::new(&context, &with(Operation::Negate(wrong))), Status::Program);
    }
    refused(Program::new(&context, &ProgramSource { code: vec![], ..sound.clone() }), Status::Program);
    let program = Program::new(&context, &sound).unwrap();
    let (a, mut out, queue) = (zeros(&context, 4), zeros(&context, 4), context.at_once());
    let challenge = [Fr::default()];
    queue.run(&program, &[&a], &challenge, 1, 4, &mut out).unwrap();
    refused(queue.run(&program, &[], &challenge, 1, 4, &mut out), Status::Size);
    refused(queue.run(&program, &[&a, &a], &challenge, 1, 4, &mut out), Status::Size);
    refused(queue.run(&program, &[&a], &[], 1, 4, &mut out), Status::Size);
    refused(queue.run(&program, &[&a], &challenge, 2, 4, &mut out), Status::Size);
    refused(queue.run(&program, &[&a], &challenge, 1, 5, &mut out), Status::Size);
}

#[test]
fn plans_tell_what_calls_take_and_refuse_what_no_memory_holds() {
    let context = context();
    let n = 1 << 12;
    let before = context.memory().unwrap();
    let mut column = zeros(&context, n);
    context.at_once().powers(Fr([1, 0, 0, 0]), Fr([2, 0, 0, 0]), &mut column).unwrap();
    let held = context.memory().unwrap().now.host;
    context.at_once().invert(&mut column, ..).unwrap();
    let scratch = context.memory().unwrap().peak.host - held;
    assert!(before.now.host < held);
    assert_eq!(context.invert_bytes(n).unwrap().host, scratch);
    let bases = Bases::<G1Affine>::bytes(&context, n, 2).unwrap().host;
    assert!(bases > Bases::<G1Affine>::bytes(&context, n, 0).unwrap().host);
    refused(Bases::<G1Affine>::bytes(&context, usize::MAX, 0), Status::Size);
    refused(context.permute_bytes(usize::MAX), Status::Size);
}
