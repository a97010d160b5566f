//! The succinct proof: sum-checks and polynomial openings.
