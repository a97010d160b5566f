/**
 * What a program sees of this machine's GPUs, by CUDA's driver interface: `node cuda-view.ts <library>` prints it as
 * JSON, or fails with what CUDA returned. Which GPUs it may see is its environment's doing.
 */
import koffi from "koffi";

export interface CudaGpu {
  /** Without what stands before it in NVML: hexadecimal digits and dashes. */
  readonly uuid: string;
  readonly name: string;
  readonly memoryBytes: number;
}

const NAME_BYTES = 256;
const UUID_BYTES = 16;

function view(libraryPath: string): readonly CudaGpu[] {
  const cuda = koffi.load(libraryPath);
  const check = (call: string, status: number): void => {
    if (status !== 0) throw new Error(`${call} returned ${status}`);
  };
  const count = [0];
  check("cuInit", cuda.func("int cuInit(unsigned int flags)")(0));
  check("cuDeviceGetCount", cuda.func("int cuDeviceGetCount(_Out_ int *count)")(count));
  const get = cuda.func("int cuDeviceGet(_Out_ int *device, int ordinal)");
  const getName = cuda.func("int cuDeviceGetName(void *name, int length, int device)");
  // The older function returns the GPU of an instance, not the instance.
  const getUuid = cuda.func("int cuDeviceGetUuid_v2(void *uuid, int device)");
  const getMemory = cuda.func("int cuDeviceTotalMem_v2(_Out_ size_t *bytes, int device)");
  return Array.from({ length: count[0] ?? 0 }, (_, ordinal) => {
    const [device, memory] = [[0], [0]];
    const [name, uuid] = [Buffer.alloc(NAME_BYTES), Buffer.alloc(UUID_BYTES)];
    check("cuDeviceGet", get(device, ordinal));
    check("cuDeviceGetName", getName(name, NAME_BYTES, device[0]));
    check("cuDeviceGetUuid_v2", getUuid(uuid, device[0]));
    check("cuDeviceTotalMem_v2", getMemory(memory, device[0]));
    return {
      uuid: uuid.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
      name: name.toString("utf8", 0, name.indexOf(0)),
      memoryBytes: Number(memory[0]),
    };
  });
}

process.stdout.write(JSON.stringify(view(process.argv[2] ?? "libcuda.so.1")));
