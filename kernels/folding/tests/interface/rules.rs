//! The rules that the library's users work by, one by one, through its public interface alone.

mod cubic;
mod debug_mode;
mod set_up;
mod steps;

use std::num::NonZeroUsize;
use std::sync::LazyLock;

use elastic_folding::frontend::{StepCircuit, trivial};
use elastic_folding::ivc::{CircuitPublicParamsInput, Error, IVC, PublicParams};
use elastic_folding::poseidon::{PoseidonRo, Spec};
use halo2curves::bn256::{Fq, Fr};
use halo2curves::{CurveAffine, bn256, grumpkin};

use crate::common::{PRIMARY_KEY, SECONDARY_KEY};

type Ro = PoseidonRo<5, 4>;
type C1 = bn256::G1Affine;
type C2 = grumpkin::G1Affine;
type Pp<SC> = PublicParams<'static, 1, 1, 5, C1, C2, SC, trivial::Circuit<1, Fq>, Ro, Ro>;
type Run = IVC<1, 1, C1, C2>;

static TRIVIAL: LazyLock<trivial::Circuit<1, Fq>> = LazyLock::new(trivial::Circuit::default);

/// What public parameters need of a circuit on this curve, over whose scalar field it is.
type Input<'key, 'circuit, C, SC> =
    CircuitPublicParamsInput<'key, 'circuit, C, SC, Spec<<C as CurveAffine>::ScalarExt, 5, 4>>;

/// Public parameters with the limbs that all tests of the rules have.
fn parameters<'key, SC1: StepCircuit<1, Fr>, SC2: StepCircuit<1, Fq>>(
    primary: Input<'key, '_, C1, SC1>,
    secondary: Input<'key, '_, C2, SC2>,
) -> Result<PublicParams<'key, 1, 1, 5, C1, C2, SC1, SC2, Ro, Ro>, Error> {
    PublicParams::new(primary, secondary, NonZeroUsize::new(68).unwrap(), NonZeroUsize::new(4).unwrap())
}

/// Parameters of a primary circuit in tables of these sizes, with the trivial circuit as the secondary.
fn set_up_in<SC: StepCircuit<1, Fr>>(circuit: &'static SC, tables: [u32; 2]) -> Result<Pp<SC>, Error> {
    let (primary_key, secondary_key) = (&*PRIMARY_KEY, &*SECONDARY_KEY);
    parameters(
        CircuitPublicParamsInput::new(tables[0], primary_key, Spec::reference()?, circuit),
        CircuitPublicParamsInput::new(tables[1], secondary_key, Spec::reference()?, &*TRIVIAL),
    )
}

fn set_up<SC: StepCircuit<1, Fr>>(circuit: &'static SC) -> Result<Pp<SC>, Error> {
    set_up_in(circuit, [17, 17])
}

fn start<SC: StepCircuit<1, Fr>>(pp: &Pp<SC>, circuit: &SC, debug_mode: bool) -> Result<Run, Error> {
    IVC::new(pp, circuit, [Fr::from(2)], &*TRIVIAL, [Fq::from(4)], debug_mode)
}
