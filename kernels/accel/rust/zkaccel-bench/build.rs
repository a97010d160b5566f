//! The program finds libzkaccel where it was linked, also when cargo does not start it.

fn main() {
    let folder = std::env::var("DEP_ZKACCEL_LIB_DIR").expect("zkaccel-sys gives the folder of the library");
    println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
}
