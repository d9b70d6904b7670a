import type { Reason } from "../../model/reasons.ts";

/**
 * How much a line explains. A `cause` stands for itself. An `end` says how a process of the pod died, which its own last
 * words explain better. A `symptom` is what the other ranks of a job say after one has gone.
 */
export type Weight = "cause" | "end" | "symptom";

/** One kind of line that the software in a container prints when it fails. */
export interface Signature {
  readonly reason: Reason;
  readonly weight: Weight;
  readonly pattern: RegExp;
}

const cause = (reason: Reason, ...patterns: readonly RegExp[]): Signature[] =>
  patterns.map((pattern) => ({ reason, weight: "cause", pattern }));
const end = (reason: Reason, ...patterns: readonly RegExp[]): Signature[] =>
  patterns.map((pattern) => ({ reason, weight: "end", pattern }));
const symptom = (reason: Reason, ...patterns: readonly RegExp[]): Signature[] =>
  patterns.map((pattern) => ({ reason, weight: "symptom", pattern }));

/**
 * Lines of PyTorch, JAX, TensorFlow, vLLM, TGI, Triton, SGLang, TensorRT-LLM, llama.cpp, DeepSpeed, Megatron, Horovod,
 * Ray, NCCL, Hugging Face, NIM and the clouds' storage clients. The first one that matches a line names it.
 */
export const SIGNATURES: readonly Signature[] = [
  // https://docs.nvidia.com/deploy/xid-errors/ names the Xids; those of faulty programs say nothing of the device.
  ...cause(
    "GpuLostAtRuntime",
    /Failed to initialize NVML: (Unknown Error|GPU is lost|Driver Not Loaded|Insufficient Permissions)/i,
    /Unable to determine the device handle for (GPU|gpu)/,
    /\bGPU is lost\b|NVML_ERROR_GPU_IS_LOST|fallen off the bus/i,
    /NVRM: Xid[^:]*(\([^)]*\))?: (?!(13|31|43|45|68|109)\b)\d+/,
    /\bXid(?! ?errors?\b)\W{0,3}(48|64|74|79|94|95|119|120|140|143|144|149)\b/,
    /uncorrectable (NVLink|ECC) error (was )?(encountered|detected)|cudaErrorECCUncorrectable|CUDA_ERROR_ECC_UNCORRECTABLE/i,
    /CUDA(-capable)? (device|GPU)s?\(?s?\)? (is\/are|are|is) (busy or unavailable|no longer available)|cudaErrorDevicesUnavailable/i,
    /CUDA error: .*no longer available|nvmlDeviceGetHandleBy\w+\W.*(Unknown Error|Not Found)/,
    /NVMLError_(Unknown|GpuIsLost|DriverNotLoaded|NotFound)\b|couldn't communicate with the NVIDIA driver/,
    /TPU initialization failed(?!: Invalid\b)(?!.*(worker addresses|already in use))|nrt_init.* failed|NRT_FAILURE/,
    /system not yet initialized|cudaErrorSystemNotReady|CUDA_ERROR_SYSTEM_NOT_READY/,
  ),
  // The image, or the pod's own settings, can hide a GPU as well.
  ...end(
    "GpuLostAtRuntime",
    /no (CUDA|ROCm)-capable device is detected|cudaErrorNoDevice|CUDA_ERROR_NO_DEVICE|hipErrorNoDevice/,
    /No (CUDA|HIP) GPUs are available|Found no NVIDIA driver on your system|No visible GPU devices/,
    /lib(cuda|nvidia-ml)\.so(\.1)?: cannot open shared object file|could not load NVML library|NVMLError_LibraryNotFound|NVML Shared Library Not Found/,
    /CUDA unknown error - this may be due to an incorrectly set up environment|CUDA driver initialization failed/,
    /failed call to cuInit: |RuntimeError: Failed to infer device type/,
    /synStatus=\d+ \[[^\]]*\] Device acquire failed|Unable to open \/dev\/kfd/,
    /NRT:nrt_\w+\s.*(Cores?\(s\) not available|[Nn]o neuron devices?)|ZE_RESULT_ERROR_(UNINITIALIZED|DEVICE_LOST)/,
  ),
  ...cause(
    "ImageDriverMismatch",
    /driver\/library version mismatch/i,
    /forward compatibility was attempted on non supported HW|cudaErrorCompatNotSupportedOnDevice/,
    /unsatisfied condition: (cuda|driver|brand|arch)|please update your driver to a newer version/,
    /NVIDIA driver on your system is too old/,
    /CUDA driver version is insufficient for CUDA runtime version|cudaErrorInsufficientDriver/,
    /no kernel image is available for execution|CUDA_ERROR_NO_BINARY_FOR_GPU|cudaErrorNoKernelImageForDevice/,
    /provided PTX was compiled with an unsupported toolchain|CUDA_ERROR_UNSUPPORTED_PTX_VERSION/,
    /unsupported display driver \/ cuda driver combination|cudaErrorSystemDriverMismatch/,
    /device kernel image is invalid|CUDA_ERROR_INVALID_IMAGE|engine plan file is (not compatible|generated on an incompatible)/,
    /only supports Ampere GPUs or newer|only supported on GPUs with compute capability of at least/,
    /Minimum capability: \d+\. Current capability|ptxas fatal\s*: Value 'sm_\w+' is not defined/,
    /hipErrorNoBinaryForGpu|(CUDA|HIP) error: invalid device function|(cudaError|hipError)InvalidDeviceFunction/,
    /container was built for NVIDIA Driver Release .* compatibility mode is UNAVAILABLE/i,
  ),
  ...cause(
    "SharedMemoryTooSmall",
    /killed by signal: Bus error|Unexpected bus error encountered in worker|out of shared memory\. Please try to raise/,
    /unable to (open|allocate|mmap|resize|write to) (the )?(shared memory|file <\/torch_)|unable to mmap \d+ bytes from file <\/torch_/,
    /No space left on device.*\/dev\/shm|\/dev\/shm.*(No space left|insufficient|not enough)/i,
    /NCCL WARN (Error while creating shared memory|Call to (posix_fallocate|ftruncate|shm_open) failed)/,
    /failed to (extend|open|create) \/dev\/shm\//,
    /(increase|grow|create|initialize) (the )?(shared memory (pool|region|key)|shm)\b.*(No space left|size for key|requested size)|insufficient shared memory/i,
    /boost::interprocess.*No space left|error executing torch_shm_manager/,
  ),
  ...end("ImageDriverMismatch", /with CUDA capability sm_\d+ is not compatible with the current PyTorch/),
  ...cause(
    "CudaOutOfMemory",
    /(OutOfMemoryError|Error|failed)\b[^.]*\b(CUDA|HIP|XPU|GPU) out of memory|(CUDA|HIP) out of memory\. Tried to allocate/i,
    /(CUDA|HIP) error: out of memory|cudaErrorMemoryAllocation|hipErrorOutOfMemory|cudaMalloc (retry )?failed: out of memory/,
    /CUDA (runtime )?(error|failure)( \d+)?( in .+)?: out of memory|Cuda failure (\d+ )?'out of memory'/i,
    /(Error|E\d* .*|F\d* .*)\bCUDA_ERROR_OUT_OF_MEMORY/,
    /CUDA driver error: out of memory|Requested amount of GPU memory .* could not be allocated/,
    /unable to allocate (CUDA|ROCm)\d* buffer|OutOfMemoryError: (Allocation on device|Out of memory allocating)/,
    /CU(BLAS|DNN|SOLVER|SPARSE)_STATUS_ALLOC_FAILED/,
    /RESOURCE_EXHAUSTED: .*(Out of memory|Failed to allocate request|allocating|HBM)|OOM when allocating tensor/i,
    /^(\S*ResourceExhaustedError: .*)?Out of memory error on GPU \d/,
    /RESOURCE_EXHAUSTED: .*Attempting to (reserve|allocate) [\d.]+[KMGT]|UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY/,
    /PT_DEVMEM .*Allocation failed|TDRV:\w+\s.*Failed to allocate .* on ND/,
    /No available memory for the cache blocks|is larger than the (available KV cache memory|maximum number of tokens that can be stored in KV cache)/,
    /Free memory on device .* is less than desired GPU memory utilization/,
    /Not enough memory\. Please try to increase --mem-fraction-static|Not enough memory to handle \d+ \w+ tokens/,
    /Failed to allocate memory for requested buffer of size|NEURON_RT.*(out of|insufficient) device memory|Failed to allocate .* (HBM|device memory)/i,
  ),
  ...cause(
    "ModelAccessDenied",
    /gated repo\b|GatedRepoError|Access to (model|dataset) \S+ is restricted|awaiting a review from the repo authors/i,
    /\b(401|403)\b.*(huggingface\.co|hf\.co|nvcr\.io|ngc\.nvidia|amazonaws|storage\.googleapis|blob\.core\.windows|modelscope)/i,
    /(huggingface\.co|hf\.co|nvcr\.io|ngc\.nvidia|amazonaws|storage\.googleapis|blob\.core\.windows|modelscope)\S*.*\b(401|403)\b/i,
    /enable access to public gated repositories|(^|Exception: |Error: )Authentication Error\b|requires an API key, but none was found/,
    /RepositoryNotFoundError|not a valid model identifier listed on 'https:\/\/huggingface\.co/,
    /(Invalid user token|User Access Token .* is expired|Invalid credentials in Authorization header)/,
    /An error occurred \((AccessDenied\w*|40[13]|Invalid(AccessKeyId|ClientTokenId)|SignatureDoesNotMatch|ExpiredToken\w*|Unauthorized\w*|UnrecognizedClientException)\) when calling/,
    /LocalTokenNotFoundError|Token is required \(|AccessDeniedException: 403|ServiceException: 401|AccessDenied: Access Denied|PermissionError: Access Denied/,
    /NoCredentialsError|Unable to locate credentials|does not have storage\.\w+\.\w+ access|DefaultCredentialsError|googleapi: Error 40[13]\b/,
    /AuthorizationPermissionMismatch|not authorized to perform this operation using this permission|Server failed to authenticate the request/,
    /NGC_API_KEY\b.*(invalid|not set|unset|missing|required|must be)|NGC.*(authentication|authorization) (failed|error)/i,
    /<Code>(AuthenticationFailed|AuthorizationFailure)<|ErrorCode:\s?(AuthenticationFailed|AuthorizationFailure)\b/,
    /(licen[cs]e|EULA)\b.*\b(checkout failed|not been accepted|must be accepted|expired|is invalid|denied)|Failed to acquire licen[cs]e|(accept|agree to) the licen[cs]e( agreement)? (to|before)/i,
  ),
  ...cause(
    "LossDiverged",
    /\bloss (is|was|became|=|:) ?-?(nan|inf(inity)?)\b.*(stop|abort|exit|terminat|skip training)|Model diverged with loss ?= ?nan/i,
    /NaN loss during training|NanLossDuringTrainingError|(ValueError|RuntimeError|AssertionError|FloatingPointError): .*\bloss\b.*\b(nan|inf|infinite)\b/i,
    /Minimum loss scale reached|loss scale already at minimum|[Ll]oss is probably exploding/,
    /found NaN in (local )?(forward loss|.*grad)|returned nan values in its \d+th output/i,
    /FloatingPointError: (invalid value|.*\b(nan|inf)\b)|Detected nan and\/or inf values/i,
  ),
  ...cause(
    "HostOutOfMemory",
    /DefaultCPUAllocator: (can't|cannot|not enough memory).*|\bstd::bad_alloc\b|java\.lang\.OutOfMemoryError/,
    /(^|\s)MemoryError\b|_ArrayMemoryError|Unable to allocate [\d.]+ [KMGT]iB for an array|\[Errno 12\] Cannot allocate memory/,
    /DataLoader worker \(pid\S* \d+\) is killed by signal: Killed|running low on memory.*(killed|kill)|killed due to the node running low on memory/i,
    /fork: Cannot allocate memory|Cannot allocate memory \(os error 12\)/,
    /Memory cgroup out of memory|\boom[-_]kill/i,
  ),
  ...end(
    "HostOutOfMemory",
    /(^|line \d+:\s+\d+\s+)Killed\b/,
    /\(exitcode: -9\)|Signal 9 \(SIGKILL\)|exits with return code = -9|exited on signal 9\b|SIGKILL.*out of memory/i,
    /(signaled to shutdown with|terminated by|killed by) signal 9\b|SIGKILL by OOM killer|exitcode=-9\b|forcibly killed .*insufficient system memory|\bSIGKILL\(-9\)/,
  ),
  ...end("SharedMemoryTooSmall", /(^|line \d+:\s+\d+\s+)Bus error\b|\(exitcode: -7\)|exited on signal 7\b/),
  ...symptom(
    "Hung",
    /Heartbeat monitor timed out|watchdog got stuck for \d+|HeartbeatMonitor.*(stuck|timed out)/i,
    /stall_inspector.*waiting for remainder of ranks|One or more tensors were submitted to be reduced.*waiting for remainder/,
    /\b(Hang|Deadlock) detected|Watchdog timeout \(self\.watchdog_timeout|Did not get subsequent heartbeat/i,
    /No available shared memory broadcast block found in \d+ second/,
  ),
  ...symptom(
    "NcclTimeout",
    /Watchdog caught collective operation timeout|ran for \d+ milliseconds before timing out/,
    /(NCCL|RCCL) (communicator was aborted|communicator encountered error|error in:|error: )|Some NCCL operations have failed or timed out/i,
    /nccl(UnhandledCudaError|SystemError|RemoteError|InternalError|InProgress timeout)\b/,
    /NCCL WARN (?!.*retrying).*(Call to \w+.* failed|Connection (timed out|refused|reset|closed)|Connection closed by remote peer|socket progress error|Got (async event|completion).*(error|status)|timeout waiting|Timeout)/i,
    /gloo\/transport\S*.*(Connection (closed|reset) by peer|Timed out)|gloo.*Connect timeout/,
    /DistStoreError|DistNetworkError|Rendezvous(Timeout|Connection|Closed)Error|TCPStore.*(timed out|Broken pipe|Connection reset)|Timed out after \d+ seconds waiting for clients/i,
    /host not found: |cannot be retrieved \(gai error|store->get\([^)]*\) got error|connection to the C10d store has failed/,
    /ssh: (Could not resolve hostname|connect to host) \S*(worker|launcher)/,
    /client socket has (timed out|failed to connect)|RuntimeError: (Socket Timeout|Connection reset by peer)|failed to pass monitoredBarrier/,
    /mlx5: .*got completion with error|NET\/OFI .*(error|failed)|NCCL operation \S+ failed|ORTE (has lost communication|daemon has unexpectedly failed)|DistBackendError/,
    /Horovod has been shut down|ProcessGroup\w+.*(timed out|timeout\(ms\))/,
    /DEADLINE_EXCEEDED: Barrier timed out|coordination service.*(heartbeat|unhealthy|shut ?down due to)|Termination timeout of .* exceeded/i,
  ),
];

/**
 * A progress line of a training loop whose loss is no number, or is nought with gradients that are none: it means
 * something where it is repeated.
 */
export const NAN_PROGRESS =
  /(?<![a-z])loss['"]?\s*[=:|]?\s*['"]?-?((nan|inf(inity)?)\b|0(\.0*)?\b.*\bgrad[_ ]norm['"]?\s*[=:|]?\s*['"]?nan\b)/i;

/** Lines that only advise, tell of a retry, or are notes: what they quote did no harm. An error may end in advice. */
export const HARMLESS =
  /\b(retrying|will (be retried|retry)|attempt \d+ of|attempting to recover|falling back|fallback to)\b|\(errno: (22|97|99) - |\bI tensorflow\b|^\s*#|^(?!.*(Error\b|Tried to allocate|must ))(.*\b)?(to avoid|if you (are|run|see|get|encounter)|in case of|may cause|can cause|might cause|consider)\b.*(memory|OOM|NCCL|nan)/i;
