import { expect, test } from "vitest";
import { kernelsIn, kernelsThatSpill, wideProducts } from "./cuda-plugin.ts";

const sass = `
Fatbin elf code:
================
arch = sm_80
	code for sm_80
		Function : _first
	.headerflags	@"EF_CUDA_SM80 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)"
        /*0040*/                   IMAD.WIDE.U32 R4, R5, c[0x0][0x0], R2 ;                     /* 0x0000000005047a25 */
                                                                                               /* 0x000fca00078e0002 */
        /*0070*/               @P0 EXIT ;                                                      /* 0x000000000000094d */
        /*0120*/              @!P1 IMAD.WIDE.U32.X R8, P5, R12, 0x3c208c16, RZ, P0 ;           /* 0x3c208c160c087825 */
        /*0130*/                   IMAD.HI.U32 R24, R29, -0x1ece5fd7, R24 ;                    /* 0xe131a0291d187825 */
Fatbin elf code:
arch = sm_90
		Function : _first
        /*0040*/                   STL.64 [R1+0x8], R2 ;                                       /* 0x0000000005047a25 */
        /*0050*/                   LDL.64 R2, [R1+0x8] ;                                       /* 0x0000000005047a25 */
`.split("\n");

test("the instructions of each kernel are counted, for each architecture", async () => {
  const kernels = await kernelsIn(sass);
  expect([...kernels.keys()]).toEqual(["sm_80 _first", "sm_90 _first"]);
  expect(kernels.get("sm_80 _first")).toEqual(
    new Map([
      ["IMAD.WIDE", 2],
      ["EXIT", 1],
      ["IMAD.HI", 1],
    ]),
  );
  expect(wideProducts(kernels.get("sm_80 _first") ?? new Map())).toBe(2);
});

test("reports a kernel that spills registers to memory", async () => {
  expect(kernelsThatSpill(await kernelsIn(sass))).toEqual(["sm_90 _first"]);
});
