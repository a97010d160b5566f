/*
 * A libnvidia-ml.so.1 for machines without a GPU: the same functions, which respond as the file `script` next to the
 * library says. It is read again at every call. fake-driver.ts builds it and writes the script:
 *
 *   driver VERSION
 *   gpu UUID MINOR TOTAL USED CELSIUS MILLIWATTS PERCENT CORRECTED UNCORRECTED MIG(0|1) NAME...
 *   mig PARENT UUID GPU_INSTANCE COMPUTE_INSTANCE TOTAL USED NAME...
 *   process UUID PID BYTES
 *   xid UUID GPU_INSTANCE(-1: the whole GPU) CODE     sent once to each process that listens when it is written
 *   lost UUID                                         every call on it returns that the GPU is lost
 *   hang FUNCTION | crash FUNCTION | fail FUNCTION STATUS
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { OK = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6, INSUFFICIENT_SIZE = 7, TIMEOUT = 10, GPU_IS_LOST = 15 };
enum { GPUS_MAX = 32, PROCESSES_MAX = 64, XIDS_MAX = 256, TEXT = 96 };

struct gpu {
  char uuid[TEXT], name[TEXT], parent[TEXT];
  unsigned minor, celsius, milliwatts, percent, cut, lost, listed, gpu_instance, compute_instance;
  unsigned long long total, used, corrected, uncorrected;
};
struct process { char uuid[TEXT]; unsigned pid; unsigned long long bytes; };
struct xid { char uuid[TEXT]; int gpu_instance; unsigned code; };

/* A GPU keeps its place, so that a handle stays what it was. */
static struct gpu gpus[GPUS_MAX];
static struct process processes[PROCESSES_MAX];
static struct xid xids[XIDS_MAX];
static unsigned gpu_count, process_count, xid_count, xids_sent;
static char version[TEXT];

static const char *script_path(void) {
  static char path[4096];
  Dl_info info;
  if (path[0] == 0 && dladdr((void *)script_path, &info)) {
    snprintf(path, sizeof path - 8, "%s", info.dli_fname);
    char *slash = strrchr(path, '/');
    strcpy(slash ? slash + 1 : path, "script");
  }
  return path;
}

static struct gpu *find(const char *uuid) {
  for (unsigned i = 0; i < gpu_count; i++) if (strcmp(gpus[i].uuid, uuid) == 0) return &gpus[i];
  return NULL;
}

static struct gpu *place(const char *uuid) {
  struct gpu *known = find(uuid);
  if (known || gpu_count == GPUS_MAX) return known;
  struct gpu *made = &gpus[gpu_count++];
  snprintf(made->uuid, TEXT, "%s", uuid);
  return made;
}

/* Reads the script and returns the status that `function` shall fail with. */
static int scripted_status(const char *function) {
  FILE *file = fopen(script_path(), "r");
  if (!file) return 999;
  int status = OK;
  char line[1024], uuid[TEXT], other[TEXT];
  process_count = xid_count = 0;
  for (unsigned i = 0; i < gpu_count; i++) gpus[i].listed = gpus[i].lost = 0;
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    int name_at = 0, code = 0;
    struct gpu read;
    memset(&read, 0, sizeof read);
    if (sscanf(line, "driver %95s", version) == 1) continue;
    if (sscanf(line, "gpu %95s %u %llu %llu %u %u %u %llu %llu %u %n", uuid, &read.minor, &read.total, &read.used,
               &read.celsius, &read.milliwatts, &read.percent, &read.corrected, &read.uncorrected, &read.cut,
               &name_at) >= 10 ||
        sscanf(line, "mig %95s %95s %u %u %llu %llu %n", read.parent, uuid, &read.gpu_instance, &read.compute_instance,
               &read.total, &read.used, &name_at) >= 6) {
      struct gpu *gpu = place(uuid);
      if (!gpu) continue;
      snprintf(read.uuid, TEXT, "%s", uuid);
      snprintf(read.name, TEXT, "%s", line + name_at);
      read.listed = 1;
      *gpu = read;
    } else if (process_count < PROCESSES_MAX && sscanf(line, "process %95s %u %llu", processes[process_count].uuid,
               &processes[process_count].pid, &processes[process_count].bytes) == 3) {
      process_count++;
    } else if (xid_count < XIDS_MAX && sscanf(line, "xid %95s %d %u", xids[xid_count].uuid,
               &xids[xid_count].gpu_instance, &xids[xid_count].code) == 3) {
      xid_count++;
    } else if (sscanf(line, "lost %95s", uuid) == 1) {
      if (find(uuid)) find(uuid)->lost = 1;
    } else if (sscanf(line, "hang %95s", other) == 1 && strcmp(other, function) == 0) {
      for (;;) pause();
    } else if (sscanf(line, "crash %95s", other) == 1 && strcmp(other, function) == 0) {
      abort();
    } else if (sscanf(line, "fail %95s %d", other, &code) == 2 && strcmp(other, function) == 0) {
      status = code;
    }
  }
  fclose(file);
  return status;
}

static int device_status(const char *function, struct gpu *gpu) {
  int status = scripted_status(function);
  if (status != OK) return status;
  if (!gpu->listed || gpu->lost) return GPU_IS_LOST;
  struct gpu *parent = gpu->parent[0] ? find(gpu->parent) : NULL;
  return parent && parent->lost ? GPU_IS_LOST : OK;
}

#define SYSTEM do { int status = scripted_status(__func__); if (status != OK) return status; } while (0)
#define DEVICE(gpu) do { int status = device_status(__func__, gpu); if (status != OK) return status; } while (0)

const char *nvmlErrorString(int status) { return status == GPU_IS_LOST ? "GPU is lost" : "an error of the fake driver"; }

int nvmlInit_v2(void) { SYSTEM; return OK; }

int nvmlSystemGetDriverVersion(char *text, unsigned length) { SYSTEM; snprintf(text, length, "%s", version); return OK; }

int nvmlDeviceGetCount_v2(unsigned *count) {
  SYSTEM;
  *count = 0;
  for (unsigned i = 0; i < gpu_count; i++) *count += gpus[i].listed && !gpus[i].parent[0];
  return OK;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, struct gpu **device) {
  SYSTEM;
  for (unsigned i = 0; i < gpu_count; i++) {
    if (!gpus[i].listed || gpus[i].parent[0] || index-- != 0) continue;
    *device = &gpus[i];
    return gpus[i].lost ? GPU_IS_LOST : OK;
  }
  return NOT_FOUND;
}

int nvmlDeviceGetUUID(struct gpu *gpu, char *text, unsigned length) {
  DEVICE(gpu); snprintf(text, length, "%s", gpu->uuid); return OK;
}
int nvmlDeviceGetName(struct gpu *gpu, char *text, unsigned length) {
  DEVICE(gpu); snprintf(text, length, "%s", gpu->name); return OK;
}
int nvmlDeviceGetPciInfo_v3(struct gpu *gpu, char *pci) {
  DEVICE(gpu); snprintf(pci + 36, 32, "00000000:%02X:00.0", gpu->minor + 1); return OK;
}
int nvmlDeviceGetMinorNumber(struct gpu *gpu, unsigned *minor) {
  DEVICE(gpu); if (gpu->parent[0]) return NOT_SUPPORTED; *minor = gpu->minor; return OK;
}
int nvmlDeviceGetCudaComputeCapability(struct gpu *gpu, int *major, int *minor) {
  DEVICE(gpu); *major = 9; *minor = 0; return OK;
}
int nvmlDeviceGetMemoryInfo(struct gpu *gpu, unsigned long long *memory) {
  DEVICE(gpu); memory[0] = gpu->total; memory[1] = gpu->total - gpu->used; memory[2] = gpu->used; return OK;
}
int nvmlDeviceGetMemoryInfo_v2(struct gpu *gpu, unsigned long long *memory) {
  DEVICE(gpu);
  if ((uint32_t)memory[0] != (40 | 2u << 24)) return 25;
  memory[1] = gpu->total; memory[2] = 0; memory[3] = gpu->total - gpu->used; memory[4] = gpu->used;
  return OK;
}
int nvmlDeviceGetTemperature(struct gpu *gpu, int sensor, unsigned *celsius) {
  DEVICE(gpu); if (gpu->parent[0]) return NOT_SUPPORTED; *celsius = gpu->celsius; return sensor == 0 ? OK : 2;
}
int nvmlDeviceGetPowerUsage(struct gpu *gpu, unsigned *milliwatts) {
  DEVICE(gpu); if (gpu->parent[0]) return NOT_SUPPORTED; *milliwatts = gpu->milliwatts; return OK;
}
int nvmlDeviceGetUtilizationRates(struct gpu *gpu, unsigned *rates) {
  DEVICE(gpu); if (gpu->parent[0] || gpu->cut) return NOT_SUPPORTED; rates[0] = gpu->percent; rates[1] = 0; return OK;
}
int nvmlDeviceGetTotalEccErrors(struct gpu *gpu, int type, int counter, unsigned long long *count) {
  DEVICE(gpu);
  if (gpu->parent[0] || counter != 0) return NOT_SUPPORTED;
  *count = type == 1 ? gpu->uncorrected : gpu->corrected;
  return OK;
}

struct process_info { unsigned pid; unsigned long long bytes; unsigned gpu_instance, compute_instance; };

int nvmlDeviceGetComputeRunningProcesses_v3(struct gpu *gpu, unsigned *count, struct process_info *infos) {
  DEVICE(gpu);
  unsigned room = *count, found = 0;
  for (unsigned i = 0; i < process_count; i++) {
    if (strcmp(processes[i].uuid, gpu->uuid) != 0) continue;
    if (found < room) infos[found] = (struct process_info){processes[i].pid, processes[i].bytes, ~0u, ~0u};
    found++;
  }
  *count = found;
  return found > room ? INSUFFICIENT_SIZE : OK;
}

int nvmlDeviceGetMigMode(struct gpu *gpu, unsigned *current, unsigned *pending) {
  DEVICE(gpu); *current = *pending = gpu->cut; return OK;
}
int nvmlDeviceGetMaxMigDeviceCount(struct gpu *gpu, unsigned *count) { DEVICE(gpu); *count = 7; return OK; }

int nvmlDeviceGetMigDeviceHandleByIndex(struct gpu *gpu, unsigned index, struct gpu **instance) {
  DEVICE(gpu);
  for (unsigned i = 0; i < gpu_count; i++) {
    if (!gpus[i].listed || strcmp(gpus[i].parent, gpu->uuid) != 0 || index-- != 0) continue;
    *instance = &gpus[i];
    return OK;
  }
  return NOT_FOUND;
}
int nvmlDeviceGetGpuInstanceId(struct gpu *gpu, unsigned *id) { DEVICE(gpu); *id = gpu->gpu_instance; return OK; }
int nvmlDeviceGetComputeInstanceId(struct gpu *gpu, unsigned *id) { DEVICE(gpu); *id = gpu->compute_instance; return OK; }

/* One set is all that a process makes here. */
int nvmlEventSetCreate(void **set) { SYSTEM; xids_sent = xid_count; *set = &xids_sent; return OK; }
int nvmlDeviceRegisterEvents(struct gpu *gpu, unsigned long long types, void *set) {
  (void)types; (void)set; DEVICE(gpu); return OK;
}

struct event { struct gpu *device; unsigned long long type, data; unsigned gpu_instance, compute_instance; };

int nvmlEventSetWait_v2(void *set, struct event *event, unsigned timeout_ms) {
  (void)set;
  const struct timespec step = {0, 10 * 1000 * 1000};
  for (unsigned waited_ms = 0;; waited_ms += 10) {
    SYSTEM;
    if (xids_sent < xid_count) {
      struct xid *xid = &xids[xids_sent++];
      *event = (struct event){find(xid->uuid), 8, xid->code, (unsigned)xid->gpu_instance, ~0u};
      return OK;
    }
    if (waited_ms >= timeout_ms) return TIMEOUT;
    nanosleep(&step, NULL);
  }
}
