import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reason } from "../../model/reasons.ts";
import { lastWords, readLog } from "./read-log.ts";

/** Lines as the software prints them, by what they mean. */
const LINES: Readonly<Partial<Record<Reason, readonly string[]>>> = {
  CudaOutOfMemory: [
    "Out of memory error on GPU 0. Cannot allocate 2.000000GB memory on GPU 0, 15.7GB memory has been allocated",
    "XlaRuntimeError: RESOURCE_EXHAUSTED: Error loading program: Attempting to reserve 12.80G at the bottom of memory. That was not possible.",
    "RuntimeError: [Rank:0] FATAL ERROR :: MODULE:PT_DEVMEM Allocation failed for size::2147483648 (2048)MB",
    "RuntimeError: level_zero backend failed with error: 39 (UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)",
    "2026-11-30T11:58:00.123456789Z stderr F RuntimeError: CUDA error: out of memory",
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 15.78 GiB total capacity; 13.1 GiB already allocated)",
    "[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.45 GiB. GPU 3 has a total capacity of 79.15 GiB",
    "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB",
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB. If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF",
    "torch.OutOfMemoryError: Allocation on device 0 would exceed allowed memory. (out of memory)",
    "[TRT] [E] OutOfMemory: Requested amount of GPU memory (2147483648 bytes) could not be allocated.",
    "llama_model_load: error loading model: unable to allocate CUDA0 buffer",
    "XlaRuntimeError: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. Used 20.0G of 15.48G hbm.",
    "ValueError: To serve at least one request with the models's max seq len (131072), (16.00 GiB KV cache is needed, which is larger than the available KV cache memory (4.50 GiB).",
    "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 63.98 GiB",
    "RuntimeError: CUDA error: out of memory",
    "tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor with shape[64,512,512,64]",
    "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 17179869184 bytes.",
    "XlaRuntimeError: RESOURCE_EXHAUSTED: Failed to allocate request for 8.00GiB (8589934592B) on device ordinal 0",
    "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.",
    "ValueError: The model's max seq len (32768) is larger than the maximum number of tokens that can be stored in KV cache (13968).",
    "ValueError: Free memory on device (9.87/39.82 GiB) on startup is less than desired GPU memory utilization (0.9, 35.84 GiB).",
    "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.",
    "RuntimeError: Not enough memory to handle 4096 prefill tokens. You need to decrease `--max-batch-prefill-tokens`",
    "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 8192.00 MiB on device 0: cudaMalloc failed: out of memory",
    "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
    "[TensorRT-LLM][ERROR] CUDA runtime error in ::cudaMallocAsync(ptr, n, mMemPool->getPool(), mCudaStream->get()): out of memory",
    "worker-0:41:233 [0] misc.cc:42 NCCL WARN Cuda failure 2 'out of memory'",
    "[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Failed to allocate memory for requested buffer of size 268435456",
  ],
  HostOutOfMemory: [
    "Child process unexpectedly failed with exitcode=-9. pid=215",
    "[F137] neuronx-cc was forcibly killed - This most commonly occurs due to insufficient system memory.",
    "Shard process was signaled to shutdown with signal 9 rank=1",
    "There are some potential root causes. (1) The process is killed by SIGKILL by OOM killer due to high memory usage.",
    "The exit codes of the workers are {SIGKILL(-9)}",
    "2026-11-30T11:56:42.200000000Z Killed",
    "[1,104]<stderr>:Killed",
    "RuntimeError: [enforce fail at alloc_cpu.cpp:75] . DefaultCPUAllocator: can't allocate memory: you tried to allocate 6710886400 bytes.",
    "MemoryError",
    "bash: fork: Cannot allocate memory",
    "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 74.5 GiB for an array with shape (100000, 100000)",
    "OSError: [Errno 12] Cannot allocate memory",
    "terminate called after throwing an instance of 'std::bad_alloc'",
    "RuntimeError: DataLoader worker (pid 2345) is killed by signal: Killed.",
    "/entrypoint.sh: line 14:    27 Killed                  python train.py",
    "Killed",
    "torch.distributed.elastic.multiprocessing.api: [ERROR] failed (exitcode: -9) local_rank: 3 (pid: 181) of binary: /usr/bin/python",
    "[launch.py:321:sigkill_handler] ['/usr/bin/python', '-u', 'train.py'] exits with return code = -9",
    "mpirun noticed that process rank 3 with PID 0 on node worker-1 exited on signal 9 (Killed).",
    "1 Workers (tasks / actors) killed due to the node running low on memory (OOM)",
  ],
  SharedMemoryTooSmall: [
    "\"failed to load 'bert' version 1: Internal: Unable to initialize shared memory key 'triton_python_backend_shm_region_3' to requested size (1048576 bytes). Error: No space left on device",
    "RuntimeError: DataLoader worker (pid 114) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory.",
    "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).",
    "RuntimeError: unable to open shared memory object </torch_91_2345> in read-write mode: No space left on device (28)",
    "RuntimeError: unable to write to file </torch_18692_1954506624>: No space left on device (28)",
    "OSError: [Errno 28] No space left on device: '/dev/shm/psm_1c2f'",
    "host:21:66 [3] include/shm.h:28 NCCL WARN Call to posix_fallocate failed : No space left on device",
    "node-0:77:131 [0] misc/shmutils.cc:72 NCCL WARN Error: failed to extend /dev/shm/nccl-8HmZlu to 33030532 bytes",
    "Failed to increase the shared memory pool size for key 'triton_python_backend_shm_region_1' to 67108864 bytes. Error: No space left on device",
    "Bus error (core dumped)",
  ],
  NcclTimeout: [
    "ValueError: host not found: Name or service not known",
    "[W socket.cpp:601] [c10d] The IPv6 network addresses of (job-master-0, 23456) cannot be retrieved (gai error: -2 - Name or service not known).",
    "RuntimeError: [1] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store by store->get('0'), but store->get('0') got error: Connection reset by peer",
    "torch.distributed.elastic.rendezvous.api.RendezvousConnectionError: The connection to the C10d store has failed. See inner exception for details.",
    "ssh: Could not resolve hostname bert-worker-1.bert: Name or service not known",
    "[rank5]:[E ProcessGroupNCCL.cpp:607] [Rank 5] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1203, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600029 milliseconds before timing out.",
    "torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1970, unhandled system error, NCCL version 2.20.5",
    "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.",
    "RuntimeError: NCCL communicator was aborted on rank 2. Original reason for failure was: watchdog",
    "conformer-3:61:412 [4] misc/socket.cc:503 NCCL WARN Net : Call to recv from 10.1.67.202<43127> failed : Connection timed out",
    "w-1:90:412 [0] transport/net_ib.cc:1295 NCCL WARN NET/IB : Got completion from peer 10.0.0.3 with error 12, opcode 0",
    "w-1:90:412 [0] transport/net_ib.cc:1295 NCCL WARN NET/IB : Got completion with status=12 (transport retry counter exceeded)",
    "w-1:90:412 [0] socket.cc:540 NCCL WARN socketProgress: Connection closed by remote peer worker-2<47356>",
    "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:598] Connection closed by peer [10.244.1.7]:41234",
    "torch.distributed.DistStoreError: Timed out after 901 seconds waiting for clients. 2/4 clients joined.",
    "torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError",
    "TimeoutError: The client socket has timed out after 1800s while trying to connect to (train-master-0, 29500).",
    "RuntimeError: Rank 3 failed to pass monitoredBarrier in 300000 ms",
    "w-0:31:99 [2] NCCL WARN NET/OFI Request 0x7f completed with error. RC: 113. Error: unknown",
    "horovod.common.exceptions.HorovodInternalError: Horovod has been shut down. This was caused by an exception on one of the ranks",
    "jaxlib.xla_extension.XlaRuntimeError: DEADLINE_EXCEEDED: Barrier timed out. Barrier_id: PjRT_Client_Connect",
  ],
  Hung: [
    "[E ProcessGroupNCCL.cpp:1414] [PG 0 Rank 0] Heartbeat monitor timed out! Process will be terminated after dumping debug info.",
    "[Rank 4] ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress in monitoring enqueued collectives",
    "W /tmp/horovod/common/stall_inspector.cc:107] One or more tensors were submitted to be reduced, gathered or broadcasted by subset of ranks and are waiting for remainder of ranks for more than 60 seconds.",
    "Watchdog timeout (self.watchdog_timeout=300)",
    "[TRT-LLM] [E] Hang detected on rank 0 in PyExecutor.",
  ],
  ImageDriverMismatch: [
    "hipErrorNoBinaryForGpu: Unable to find code object for all current devices!",
    "RuntimeError: HIP error: invalid device function",
    "ValueError: The quantization method fp8 is not supported for the current GPU. Minimum capability: 89. Current capability: 75.",
    "ptxas fatal   : Value 'sm_121a' is not defined for option 'gpu-name'",
    "RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your GPU driver",
    "CUDA driver version is insufficient for CUDA runtime version",
    "[TRT] [E] IRuntime::deserializeCudaEngine: The engine plan file is generated on an incompatible device, expecting compute 8.0 got compute 8.6",
    "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation.",
    "RuntimeError: CUDA error: no kernel image is available for execution on the device",
    "CUDA error: the provided PTX was compiled with an unsupported toolchain.",
    "Error 804: forward compatibility was attempted on non supported HW",
    "Error 803: system has unsupported display driver / cuda driver combination",
    "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.9, please update your driver to a newer version, or use an earlier cuda container",
    "Failed to initialize NVML: Driver/library version mismatch",
    "ERROR: This container was built for NVIDIA Driver Release 550.54 or later, but version 470.161 was detected and compatibility mode is UNAVAILABLE.",
  ],
  ModelAccessDenied: [
    "PermissionError: Access Denied",
    "403 Forbidden: Please enable access to public gated repositories in your fine-grained token settings to view this repository..",
    "Exception: Authentication Error",
    "botocore.exceptions.ClientError: An error occurred (InvalidClientTokenId) when calling the ListObjectsV2 operation: The security token included in the request is invalid.",
    "rpc error: code = PermissionDenied desc = failed to get GCS bucket: googleapi: Error 403: denied",
    "<Code>AuthenticationFailed</Code>",
    "OSError: You are trying to access a gated repo.",
    "huggingface_hub.errors.GatedRepoError: 401 Client Error. (Request ID: Root=1-66)",
    "Access to model meta-llama/Llama-3.1-8B is restricted. You must have access to it and be authenticated to access it. Please log in.",
    "requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://huggingface.co/api/models/acme/private",
    "OSError: acme/private-llm is not a local folder and is not a valid model identifier listed on 'https://huggingface.co/models'",
    "botocore.exceptions.ClientError: An error occurred (403) when calling the HeadObject operation: Forbidden",
    "botocore.exceptions.NoCredentialsError: Unable to locate credentials",
    "google.api_core.exceptions.Forbidden: 403 GET https://storage.googleapis.com/storage/v1/b/models: caller does not have storage.objects.get access",
    "ErrorCode:AuthorizationPermissionMismatch",
    "ERROR: NGC_API_KEY is not set or invalid",
    "license checkout failed: no such feature exists",
  ],
  LossDiverged: [
    "Loss is nan, stopping training",
    "ValueError: loss is nan at step 12, consider a lower learning rate",
    "FloatingPointError: Minimum loss scale reached (0.0001). Your loss is probably exploding.",
    "Exception: Current loss scale already at minimum - cannot decrease scale anymore. Exiting run.",
    "tensorflow.python.training.basic_session_run_hooks.NanLossDuringTrainingError: NaN loss during training.",
    "RuntimeError: Function 'MseLossBackward0' returned nan values in its 0th output.",
    "FloatingPointError: Loss became infinite or NaN at iteration=812!",
    "AssertionError: Rank 3: found NaN in local forward loss calculation. Device: 3, node: worker-1",
    "FloatingPointError: invalid value (nan) encountered in jit(train_step)",
  ],
  GpuLostAtRuntime: [
    "could not load NVML library: libnvidia-ml.so.1: cannot open shared object file: No such file or directory",
    "RuntimeError: synStatus=26 [Generic failure] Device acquire failed.",
    "2026-Nov-30 11:55:10.0410  1:17  ERROR  NRT:nrt_allocate_neuron_cores   Neuron Core(s) not available - Requested:1 Available:0",
    "Unable to open /dev/kfd read-write: Permission denied",
    "RuntimeError: TPU initialization failed: open(/dev/accel0): Operation not permitted",
    "Failed to initialize NVML: Unknown Error",
    "Unable to determine the device handle for GPU 0000:3B:00.0: Unknown Error",
    "Unable to determine the device handle for GPU0000:3B:00.0: GPU is lost.  Reboot the system to recover this GPU",
    "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python, GPU has fallen off the bus.",
    "NVRM: Xid (PCI:0000:3b:00): 119, pid=99, name=nvidia-smi, Timeout waiting for RPC from GSP",
    "RuntimeError: CUDA error: uncorrectable ECC error encountered",
    "RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable",
    "RuntimeError: CUDA error: no CUDA-capable device is detected",
    "RuntimeError: No CUDA GPUs are available",
    "pynvml.NVMLError_Unknown: Unknown Error",
    "RuntimeError: CUDA unknown error - this may be due to an incorrectly set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES after program start.",
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.",
    "RuntimeError: FAILED_PRECONDITION: No visible GPU devices.",
    "Error 802: system not yet initialized",
  ],
};

const HARMLESS: readonly string[] = [
  "RuntimeError: Unable to initialize backend 'tpu': UNKNOWN: TPU initialization failed: Invalid --2a886c8_slice_builder_worker_addresses specified. Expected 4 worker addresses, got 1.",
  "[W1130 11:40:04 socket.cpp:663] [c10d] The client socket has failed to connect to [p]:29500 (errno: 97 - Address family not supported by protocol).",
  "{'loss': 0.0, 'grad_norm': nan, 'learning_rate': 2e-05}",
  "Failed to resolve 'huggingface.co' ([Errno -2] Name or service not known)",
  "epoch 3 step 1200 | loss 2.318 | 0 NaN | 1.92 s/step",
  "Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 32768.0",
  "INFO Set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid CUDA out of memory",
  "WARNING: CUDA graphs can take additional 1~3 GiB memory per GPU. If you are running out of memory, consider decreasing `gpu_memory_utilization`",
  "2026-01-01 00:00:00.0: I tensorflow/stream_executor/cuda/cuda_driver.cc:831] failed to allocate 3.90G from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory",
  "worker-0:18:18 [0] NCCL INFO NET/Plugin : No plugin found (libnccl-net.so), using internal implementation",
  "w-0:18:18 [0] NCCL WARN Call to connect returned Connection refused, retrying",
  "WARNING The object store is using /tmp instead of /dev/shm because /dev/shm has only 67108864 bytes available.",
  "HTTP 401 for GET /v1/models from 10.0.0.7",
  'GET /healthz HTTP/1.1" 403 Forbidden',
  "Connection reset by peer",
  "requests: 503 from https://huggingface.co/acme/model, will be retried",
  "INFO 11-30 11:57:27 [default_loader.py:267] Loading weights took 8.41 seconds",
  "NVRM: Xid (PCI:0000:3b:00): 31, pid=1234, name=python, MMU Fault",
  "NVRM: Xid (PCI:0000:3b:00): 13, pid=1234, Graphics SM Warp Exception",
  "GPU 0: Volatile Uncorrectable ECC errors: 0",
  "NOTE: The SHMEM allocation limit is set to the default of 64MB.  This may be insufficient for PyTorch.",
  "loaded 0 inf values",
  "val_loss improved from inf to 2.4410, saving model",
  "process killed 12 zombies",
];

describe("a line that says what went wrong", () => {
  it.each(Object.entries(LINES).flatMap(([reason, lines]) => lines.map((line) => [reason, line] as const)))(
    "%s: %s",
    (reason, line) => {
      expect(readLog(`starting\nloading\n${line}\n`)).toMatchObject({ reason, line, linesAfter: 0 });
    },
  );
});

describe("a line that says nothing", () => {
  it.each(HARMLESS)("%s", (line) => {
    expect(readLog(line)).toBeUndefined();
  });
});

const oom = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.45 GiB.";
const abort = "[E ProcessGroupNCCL.cpp:607] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3)";
const closed = "w-1:9:41 [0] socket.cc:540 NCCL WARN Connection closed by remote peer w-2<47356>";
const killed = "torch.distributed.elastic: failed (exitcode: -9) local_rank: 3";
const denied = "OSError: You are trying to access a gated repo.";

describe("which of several errors counts", () => {
  it.each<[string, readonly string[], Reason, string]>([
    ["what follows from a cause does not hide it", [oom, closed, abort, killed], "CudaOutOfMemory", oom],
    ["nor does what precedes it", [closed, oom], "CudaOutOfMemory", oom],
    ["the last of two causes", [oom, "lower batch size: ok", denied], "ModelAccessDenied", denied],
    [
      "what tells of the driver, before what follows from it",
      [
        "UserWarning: The NVIDIA driver on your system is too old (found version 11040)",
        "RuntimeError: No CUDA GPUs are available",
      ],
      "ImageDriverMismatch",
      "UserWarning: The NVIDIA driver on your system is too old (found version 11040)",
    ],
    ["a killed process before the ranks that miss it", [closed, killed, abort], "HostOutOfMemory", killed],
    ["the first of several symptoms", [closed, abort], "NcclTimeout", closed],
  ])("%s", (_, lines, reason, line) => {
    expect(readLog(lines.join("\n"))).toMatchObject({ reason, line });
  });

  it("a loss that is no number any more", () => {
    const lines = ["step 1 loss 2.1", "step 2 loss nan", "step 3 loss: nan", "step 4 loss=NaN"];
    expect(readLog(lines.join("\n"))?.reason).toBe("LossDiverged");
    expect(readLog(lines.slice(0, 3).join("\n"))).toBeUndefined();
    expect(readLog([...lines, "step 5 loss 2.0"].join("\n"))).toBeUndefined();
    expect(readLog("{'loss': 0.0, 'grad_norm': nan, 'epoch': 0.1}\n".repeat(3))?.reason).toBe("LossDiverged");
    expect(readLog("train_loss=nan lr=0.1\n".repeat(3))?.reason).toBe("LossDiverged");
    expect(readLog("{'loss': 2.1, 'grad_norm': nan, 'epoch': 0.1}\n".repeat(3))).toBeUndefined();
  });
});

describe("hostile logs", () => {
  // A pattern that backtracks without end would run into the time limit of a test.
  it.each<[string, string]>([
    ["empty", ""],
    ["blank", "\n\r\n \r"],
    ["one endless line", "loss nan (".repeat(200_000)],
    ["many lines", "NCCL WARN Call to connect failed, retrying\n".repeat(50_000)],
    ["binary", "\u0000\uffff\u001b[31m"],
  ])("%s", (_, text) => {
    expect(readLog(text)).toBeUndefined();
  });
});

it("quotes a line of the log, whatever is in it", () => {
  const known = fc.constantFrom(oom, abort, closed, killed, denied, ...HARMLESS);
  const log = fc.array(fc.oneof(known, fc.string({ unit: "binary" })), { maxLength: 30 });
  fc.assert(
    fc.property(log, (lines) => {
      const text = lines.join("\n");
      const found = readLog(text);
      expect(text).toContain(found?.line ?? "");
      expect(found?.linesAfter ?? 0).toBeLessThanOrEqual(text.split(/\r\n|[\r\n]/).length);
      expect(text).toContain(lastWords(text));
    }),
  );
});

describe("what to quote of a log that names no known cause", () => {
  it.each<[string, string, string]>([
    ["the last error", "start\nKeyError: 'vocab'\ncleaning up\n", "KeyError: 'vocab'"],
    [
      "the error itself, not what its launcher says of it",
      "KeyError: 'vocab'\ntorch.distributed.elastic.multiprocessing.errors.ChildFailedError:\n",
      "KeyError: 'vocab'",
    ],
    ["the last line", "start\n 7% loaded\n\n", "7% loaded"],
    ["nothing", "", ""],
  ])("%s", (_, text, words) => {
    expect(lastWords(text)).toBe(words);
  });
});
