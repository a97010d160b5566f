//! Calls on a stream happen in order and are waited for; what they borrowed is free after that.

use std::panic::{AssertUnwindSafe, catch_unwind};

use zkaccel::{Backend, Buffer, Config, Context, PermuteOrder, Status, Stream, VectorOp, limbs::Fr};

fn context() -> Context {
    Context::new(&Config { backend: Backend::Cpu, threads: 1, ..Config::default() })
        .expect("the CPU is there")
}

fn number(n: u64) -> [u64; 4] {
    [n, 0, 0, 0]
}

#[test]
fn calls_of_a_scope_happen_in_their_order() {
    let context = context();
    let mut column = Buffer::<Fr>::new(&context, 2).unwrap();
    let mut copy = Buffer::<Fr>::new(&context, 2).unwrap();
    let (first, second) = ([number(2), number(3)], [number(5), number(7)]);
    let (mut before, mut after) = ([[0; 4]; 2], [[0; 4]; 2]);
    let mut stream = Stream::new(&context).unwrap();
    stream
        .scope(|queue| {
            queue.write_canonical(&mut column, 0, &first)?;
            queue.copy(&column, 0, &mut copy, 0, 2)?;
            queue.read_canonical(&column, 0, &mut before)?;
            queue.write_canonical(&mut column, 0, &second)?;
            queue.apply_to(VectorOp::Mul, &mut column, &copy)?;
            queue.read_canonical(&column, 0, &mut after)
        })
        .unwrap();
    assert_eq!((before, after), (first, [number(10), number(21)]));
}

#[test]
fn a_scope_tells_the_first_failure_even_where_its_work_did_not_look() {
    let context = context();
    let mut column = Buffer::<Fr>::new(&context, 1).unwrap();
    let not_below = [[u64::MAX; 4]];
    let mut stream = Stream::new(&context).unwrap();
    let error = stream
        .scope(|queue| {
            let _unseen = queue.write_canonical(&mut column, 0, &not_below);
            Ok(())
        })
        .unwrap_err();
    assert_eq!(error.status(), Status::NonCanonical);
    // And the next scope starts without that failure.
    stream.scope(|queue| queue.write_canonical(&mut column, 0, &[[1, 0, 0, 0]])).unwrap();
}

#[test]
fn a_scope_tells_also_of_a_refusal_at_which_its_work_did_not_look() {
    let context = context();
    let mut column = Buffer::<Fr>::new(&context, 1).unwrap();
    let mut elsewhere = Buffer::<Fr>::new(&self::context(), 1).unwrap();
    let not_below = [[u64::MAX; 4]];
    let mut stream = Stream::new(&context).unwrap();
    let by_the_library = stream.scope(|queue| {
        let _unseen = queue.write_canonical(&mut column, 9, &[[1, 0, 0, 0]]);
        let _later = queue.write_canonical(&mut column, 0, &not_below);
        Ok(())
    });
    assert_eq!(by_the_library.unwrap_err().status(), Status::Size);
    let by_the_crate = stream.scope(|queue| {
        let _unseen = queue.write_canonical(&mut elsewhere, 0, &[[1, 0, 0, 0]]);
        let _later = queue.write_canonical(&mut column, 0, &not_below);
        Ok(())
    });
    assert_eq!(by_the_crate.unwrap_err().status(), Status::InvalidArgument);
    let (begin, end) = (1, 0);
    let of_a_range = stream.scope(|queue| {
        let _unseen = queue.invert(&mut column, begin..end);
        Ok(())
    });
    assert_eq!(of_a_range.unwrap_err().message(), "the range ends before it begins");
    stream.scope(|_| Ok(())).unwrap();
}

#[test]
fn a_lookup_that_fails_on_a_stream_has_its_row_in_the_call_and_in_the_sync() {
    let context = context();
    let mut columns = [4, 4, 4, 4].map(|n| Buffer::<Fr>::new(&context, n).unwrap());
    let mut stream = Stream::new(&context).unwrap();
    let [a, s, a_out, s_out] = &mut columns;
    let values = [number(1), number(1), number(9), number(1)];
    let table = [number(1), number(2), number(3), number(4)];
    let mut in_the_call = None;
    let at_the_sync = stream
        .scope(|queue| {
            queue.write_canonical(a, 0, &values)?;
            queue.write_canonical(s, 0, &table)?;
            let order = PermuteOrder::LastMeets;
            queue.permute(a, s, 2, order, a_out, s_out)?;
            in_the_call = queue.permute(a, s, 4, order, a_out, s_out).err();
            Ok(())
        })
        .unwrap_err();
    assert_eq!(at_the_sync.status(), Status::NotInTable);
    assert_eq!(at_the_sync.bad_row(), Some(2));
    assert_eq!(in_the_call.and_then(|error| error.bad_row()), Some(2));
}

#[test]
fn a_cancelled_stream_ends_its_scope_and_serves_the_next() {
    let context = context();
    let mut column = Buffer::<Fr>::new(&context, 1).unwrap();
    let mut stream = Stream::new(&context).unwrap();
    let canceller = stream.canceller();
    let error = stream
        .scope(|queue| {
            canceller.cancel()?;
            queue.write_canonical(&mut column, 0, &[[1, 0, 0, 0]])
        })
        .unwrap_err();
    assert_eq!(error.status(), Status::Cancelled);
    stream.scope(|queue| queue.write_canonical(&mut column, 0, &[[1, 0, 0, 0]])).unwrap();
}

#[test]
fn a_cancel_between_two_scopes_cancels_neither() {
    let context = context();
    let mut column = Buffer::<Fr>::new(&context, 1).unwrap();
    let mut stream = Stream::new(&context).unwrap();
    let canceller = stream.canceller();
    stream.scope(|queue| queue.write_canonical(&mut column, 0, &[[1, 0, 0, 0]])).unwrap();
    canceller.cancel().unwrap();
    stream.scope(|queue| queue.write_canonical(&mut column, 0, &[[2, 0, 0, 0]])).unwrap();
}

#[test]
fn a_panic_in_a_scope_leaves_the_stream_synced() {
    let context = context();
    let mut column = Buffer::<Fr>::new(&context, 1).unwrap();
    let not_below = [[u64::MAX; 4]];
    let mut stream = Stream::new(&context).unwrap();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        stream.scope(|queue| {
            let _unseen = queue.write_canonical(&mut column, 0, &not_below);
            if queue.context().memory().is_ok() {
                panic!("in the scope");
            }
            Ok(())
        })
    }));
    assert!(panicked.is_err());
    // The failure before the panic went with that scope's sync.
    stream.scope(|_| Ok(())).unwrap();
}

#[test]
fn a_canceller_outlives_its_stream() {
    let canceller = Stream::new(&context()).unwrap().canceller();
    canceller.cancel().unwrap();
}
