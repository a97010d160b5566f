//! The types of halo2curves and of its fork halo2curves-axiom are elements and points as they are. That their layout
//! is the library's is asserted when this crate is compiled, and tested with values.

/// For one of the crates, which have the same names.
#[cfg(any(feature = "halo2curves", feature = "halo2curves-axiom"))]
macro_rules! interchangeable {
    ($crate_name:ident) => {
        const _: () = {
            use std::mem::{align_of, offset_of, size_of, transmute};

            use $crate_name::{bn256, grumpkin};
            use zkaccel_sys::{zka_affine, zka_fe, zka_jacobian};

            use crate::element::{Affine, Curve, Element, Field, TransformElement};

            const fn is(limbs: [u64; 4], expected: [u64; 4]) -> bool {
                limbs[0] == expected[0]
                    && limbs[1] == expected[1]
                    && limbs[2] == expected[2]
                    && limbs[3] == expected[3]
            }

            /// 2^256 modulo r and modulo q: how 1 looks in Montgomery form.
            const ONE_FR: [u64; 4] =
                [0xac96_341c_4fff_fffb, 0x36fc_7695_9f60_cd29, 0x666e_a36f_7879_462e, 0x0e0a_77c1_9a07_df2f];
            const ONE_FQ: [u64; 4] =
                [0xd35d_438d_c58f_0d9d, 0x0a78_eb28_f5c7_0b3d, 0x666e_a36f_7879_462c, 0x0e0a_77c1_9a07_df2f];

            // SAFETY: these compile only where the sizes are the same, and limbs may be any numbers.
            assert!(unsafe { is(transmute::<bn256::Fr, [u64; 4]>(bn256::Fr::one()), ONE_FR) });
            // SAFETY: as above.
            assert!(unsafe { is(transmute::<bn256::Fq, [u64; 4]>(bn256::Fq::one()), ONE_FQ) });
            assert!(align_of::<bn256::Fr>() == align_of::<zka_fe>());
            assert!(align_of::<bn256::Fq>() == align_of::<zka_fe>());

            /// Asserts that a curve's types have the coordinates where the interface has them.
            macro_rules! assert_layout {
                ($affine:ty, $jacobian:ty) => {
                    assert!(size_of::<$affine>() == size_of::<zka_affine>());
                    assert!(offset_of!($affine, x) == offset_of!(zka_affine, x));
                    assert!(offset_of!($affine, y) == offset_of!(zka_affine, y));
                    assert!(size_of::<$jacobian>() == size_of::<zka_jacobian>());
                    assert!(offset_of!($jacobian, x) == offset_of!(zka_jacobian, x));
                    assert!(offset_of!($jacobian, y) == offset_of!(zka_jacobian, y));
                    assert!(offset_of!($jacobian, z) == offset_of!(zka_jacobian, z));
                };
            }
            assert_layout!(bn256::G1Affine, bn256::G1);
            assert_layout!(grumpkin::G1Affine, grumpkin::G1);

            // SAFETY: four limbs in Montgomery form, as asserted above.
            unsafe impl Element for bn256::Fr {
                const FIELD: Field = Field::Fr;
            }
            // SAFETY: its field is Fr.
            unsafe impl TransformElement for bn256::Fr {}
            // SAFETY: four limbs in Montgomery form, as asserted above.
            unsafe impl Element for bn256::Fq {
                const FIELD: Field = Field::Fq;
            }
            // SAFETY: x and y of that field, as asserted above; Jacobian coordinates with z = 0 for the identity.
            unsafe impl Affine for bn256::G1Affine {
                const CURVE: Curve = Curve::Bn254;
                type Scalar = bn256::Fr;
                type Jacobian = bn256::G1;
            }
            // SAFETY: as above; grumpkin's fields are those of bn256, the other way round.
            unsafe impl Affine for grumpkin::G1Affine {
                const CURVE: Curve = Curve::Grumpkin;
                type Scalar = grumpkin::Fr;
                type Jacobian = grumpkin::G1;
            }
        };
    };
}

#[cfg(feature = "halo2curves")]
interchangeable!(halo2curves);
#[cfg(feature = "halo2curves-axiom")]
interchangeable!(halo2curves_axiom);
