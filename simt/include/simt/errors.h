// Each error of CUDA: its name, its number, and what cudaGetErrorString says in the toolkit. Who
// includes this defines KV_SIMT_ERROR first.

#ifndef KV_SIMT_ERROR
#define KV_SIMT_ERROR(name, number, text)
#endif

KV_SIMT_ERROR(cudaSuccess, 0, "no error")
KV_SIMT_ERROR(cudaErrorInvalidValue, 1, "invalid argument")
KV_SIMT_ERROR(cudaErrorMemoryAllocation, 2, "out of memory")
KV_SIMT_ERROR(cudaErrorInitializationError, 3, "initialization error")
KV_SIMT_ERROR(cudaErrorCudartUnloading, 4, "driver shutting down")
KV_SIMT_ERROR(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")
KV_SIMT_ERROR(cudaErrorProfilerNotInitialized,
              6,
              "profiler not initialized: call cudaProfilerInitialize()")
KV_SIMT_ERROR(cudaErrorProfilerAlreadyStarted, 7, "profiler already started")
KV_SIMT_ERROR(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped")
KV_SIMT_ERROR(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")
KV_SIMT_ERROR(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")
KV_SIMT_ERROR(cudaErrorInvalidSymbol, 13, "invalid device symbol")
KV_SIMT_ERROR(cudaErrorInvalidHostPointer, 16, "invalid host pointer")
KV_SIMT_ERROR(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")
KV_SIMT_ERROR(cudaErrorInvalidTexture, 18, "invalid texture reference")
KV_SIMT_ERROR(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")
KV_SIMT_ERROR(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")
KV_SIMT_ERROR(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")
KV_SIMT_ERROR(cudaErrorAddressOfConstant, 22, "invalid address of constant")
KV_SIMT_ERROR(cudaErrorTextureFetchFailed, 23, "fetch from texture failed")
KV_SIMT_ERROR(cudaErrorTextureNotBound, 24, "cannot fetch from a texture that is not bound")
KV_SIMT_ERROR(cudaErrorSynchronizationError, 25, "incorrect use of __syncthreads()")
KV_SIMT_ERROR(cudaErrorInvalidFilterSetting,
              26,
              "linear filtering not supported for non-float type")
KV_SIMT_ERROR(cudaErrorInvalidNormSetting,
              27,
              "read as normalized float not supported for data type")
KV_SIMT_ERROR(cudaErrorMixedDeviceExecution,
              28,
              "device emulation mode and device execution mode cannot be mixed")
KV_SIMT_ERROR(cudaErrorNotYetImplemented, 31, "feature not yet implemented")
KV_SIMT_ERROR(cudaErrorMemoryValueTooLarge,
              32,
              "memory size or pointer value too large to fit in 32 bit")
KV_SIMT_ERROR(cudaErrorStubLibrary, 34, "CUDA driver is a stub library")
KV_SIMT_ERROR(cudaErrorInsufficientDriver,
              35,
              "CUDA driver version is insufficient for CUDA runtime version")
KV_SIMT_ERROR(cudaErrorCallRequiresNewerDriver,
              36,
              "API call is not supported in the installed CUDA driver")
KV_SIMT_ERROR(cudaErrorInvalidSurface, 37, "invalid surface reference")
KV_SIMT_ERROR(cudaErrorDuplicateVariableName,
              43,
              "duplicate global variable looked up by string name")
KV_SIMT_ERROR(cudaErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")
KV_SIMT_ERROR(cudaErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")
KV_SIMT_ERROR(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")
KV_SIMT_ERROR(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context")
KV_SIMT_ERROR(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")
KV_SIMT_ERROR(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")
KV_SIMT_ERROR(cudaErrorLaunchMaxDepthExceeded,
              65,
              "launch would exceed maximum depth of nested launches")
KV_SIMT_ERROR(cudaErrorLaunchFileScopedTex,
              66,
              "launch failed because kernel uses unsupported, file-scoped textures (texture "
              "objects are supported)")
KV_SIMT_ERROR(cudaErrorLaunchFileScopedSurf,
              67,
              "launch failed because kernel uses unsupported, file-scoped surfaces (surface "
              "objects are supported)")
KV_SIMT_ERROR(
    cudaErrorSyncDepthExceeded,
    68,
    "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth")
KV_SIMT_ERROR(cudaErrorLaunchPendingCountExceeded,
              69,
              "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount")
KV_SIMT_ERROR(cudaErrorInvalidDeviceFunction, 98, "invalid device function")
KV_SIMT_ERROR(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")
KV_SIMT_ERROR(cudaErrorInvalidDevice, 101, "invalid device ordinal")
KV_SIMT_ERROR(cudaErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license")
KV_SIMT_ERROR(cudaErrorSoftwareValidityNotEstablished, 103, "integrity checks failed")
KV_SIMT_ERROR(cudaErrorStartupFailure, 127, "startup failure in cuda runtime")
KV_SIMT_ERROR(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")
KV_SIMT_ERROR(cudaErrorDeviceUninitialized, 201, "invalid device context")
KV_SIMT_ERROR(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")
KV_SIMT_ERROR(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")
KV_SIMT_ERROR(cudaErrorArrayIsMapped, 207, "array is mapped")
KV_SIMT_ERROR(cudaErrorAlreadyMapped, 208, "resource already mapped")
KV_SIMT_ERROR(cudaErrorNoKernelImageForDevice,
              209,
              "no kernel image is available for execution on the device")
KV_SIMT_ERROR(cudaErrorAlreadyAcquired, 210, "resource already acquired")
KV_SIMT_ERROR(cudaErrorNotMapped, 211, "resource not mapped")
KV_SIMT_ERROR(cudaErrorNotMappedAsArray, 212, "resource not mapped as array")
KV_SIMT_ERROR(cudaErrorNotMappedAsPointer, 213, "resource not mapped as pointer")
KV_SIMT_ERROR(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")
KV_SIMT_ERROR(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")
KV_SIMT_ERROR(cudaErrorDeviceAlreadyInUse,
              216,
              "exclusive-thread device already in use by a different thread")
KV_SIMT_ERROR(cudaErrorPeerAccessUnsupported,
              217,
              "peer access is not supported between these two devices")
KV_SIMT_ERROR(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")
KV_SIMT_ERROR(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")
KV_SIMT_ERROR(cudaErrorNvlinkUncorrectable,
              220,
              "uncorrectable NVLink error detected during the execution")
KV_SIMT_ERROR(cudaErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found")
KV_SIMT_ERROR(cudaErrorUnsupportedPtxVersion,
              222,
              "the provided PTX was compiled with an unsupported toolchain.")
KV_SIMT_ERROR(cudaErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled")
KV_SIMT_ERROR(cudaErrorUnsupportedExecAffinity,
              224,
              "the provided execution affinity is not supported")
KV_SIMT_ERROR(cudaErrorUnsupportedDevSideSync,
              225,
              "the provided PTX contains unsupported call to cudaDeviceSynchronize")
KV_SIMT_ERROR(cudaErrorContained,
              226,
              "Invalid access of peer GPU memory over nvlink or a hardware error")
KV_SIMT_ERROR(cudaErrorInvalidSource, 300, "device kernel image is invalid")
KV_SIMT_ERROR(cudaErrorFileNotFound, 301, "file not found")
KV_SIMT_ERROR(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")
KV_SIMT_ERROR(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")
KV_SIMT_ERROR(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")
KV_SIMT_ERROR(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")
KV_SIMT_ERROR(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")
KV_SIMT_ERROR(cudaErrorLossyQuery, 402, "attempted introspection would be semantically lossy")
KV_SIMT_ERROR(cudaErrorSymbolNotFound, 500, "named symbol not found")
KV_SIMT_ERROR(cudaErrorNotReady, 600, "device not ready")
KV_SIMT_ERROR(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")
KV_SIMT_ERROR(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")
KV_SIMT_ERROR(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")
KV_SIMT_ERROR(cudaErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode")
KV_SIMT_ERROR(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")
KV_SIMT_ERROR(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")
KV_SIMT_ERROR(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")
KV_SIMT_ERROR(cudaErrorContextIsDestroyed, 709, "context is destroyed")
KV_SIMT_ERROR(cudaErrorAssert, 710, "device-side assert triggered")
KV_SIMT_ERROR(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")
KV_SIMT_ERROR(cudaErrorHostMemoryAlreadyRegistered,
              712,
              "part or all of the requested memory range is already mapped")
KV_SIMT_ERROR(cudaErrorHostMemoryNotRegistered,
              713,
              "pointer does not correspond to a registered memory region")
KV_SIMT_ERROR(cudaErrorHardwareStackError, 714, "hardware stack error")
KV_SIMT_ERROR(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")
KV_SIMT_ERROR(cudaErrorMisalignedAddress, 716, "misaligned address")
KV_SIMT_ERROR(cudaErrorInvalidAddressSpace,
              717,
              "operation not supported on global/shared address space")
KV_SIMT_ERROR(cudaErrorInvalidPc, 718, "invalid program counter")
KV_SIMT_ERROR(cudaErrorLaunchFailure, 719, "unspecified launch failure")
KV_SIMT_ERROR(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")
KV_SIMT_ERROR(cudaErrorTensorMemoryLeak, 721, "tensor memory not completely freed")
KV_SIMT_ERROR(cudaErrorNotPermitted, 800, "operation not permitted")
KV_SIMT_ERROR(cudaErrorNotSupported, 801, "operation not supported")
KV_SIMT_ERROR(cudaErrorSystemNotReady, 802, "system not yet initialized")
KV_SIMT_ERROR(cudaErrorSystemDriverMismatch,
              803,
              "system has unsupported display driver / cuda driver combination")
KV_SIMT_ERROR(cudaErrorCompatNotSupportedOnDevice,
              804,
              "forward compatibility was attempted on non supported HW")
KV_SIMT_ERROR(cudaErrorMpsConnectionFailed,
              805,
              "MPS client failed to connect to the MPS control daemon or the MPS server")
KV_SIMT_ERROR(cudaErrorMpsRpcFailure,
              806,
              "the remote procedural call between the MPS server and the MPS client failed")
KV_SIMT_ERROR(cudaErrorMpsServerNotReady,
              807,
              "MPS server is not ready to accept new MPS client requests")
KV_SIMT_ERROR(cudaErrorMpsMaxClientsReached,
              808,
              "the hardware resources required to create MPS client have been exhausted")
KV_SIMT_ERROR(cudaErrorMpsMaxConnectionsReached,
              809,
              "the hardware resources required to support device connections have been exhausted")
KV_SIMT_ERROR(cudaErrorMpsClientTerminated, 810, "the MPS client has been terminated by the server")
KV_SIMT_ERROR(cudaErrorCdpNotSupported,
              811,
              "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does "
              "not support it")
KV_SIMT_ERROR(cudaErrorCdpVersionMismatch,
              812,
              "unsupported interaction between different versions of CUDA Dynamic Parallelism")
KV_SIMT_ERROR(cudaErrorStreamCaptureUnsupported,
              900,
              "operation not permitted when stream is capturing")
KV_SIMT_ERROR(cudaErrorStreamCaptureInvalidated,
              901,
              "operation failed due to a previous error during capture")
KV_SIMT_ERROR(cudaErrorStreamCaptureMerge,
              902,
              "operation would result in a merge of separate capture sequences")
KV_SIMT_ERROR(cudaErrorStreamCaptureUnmatched,
              903,
              "capture was not ended in the same stream as it began")
KV_SIMT_ERROR(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")
KV_SIMT_ERROR(cudaErrorStreamCaptureIsolation,
              905,
              "dependency created on uncaptured work in another stream")
KV_SIMT_ERROR(cudaErrorStreamCaptureImplicit,
              906,
              "operation would make the legacy stream depend on a capturing blocking stream")
KV_SIMT_ERROR(cudaErrorCapturedEvent,
              907,
              "operation not permitted on an event last recorded in a capturing stream")
KV_SIMT_ERROR(cudaErrorStreamCaptureWrongThread,
              908,
              "attempt to terminate a thread-local capture sequence from another thread")
KV_SIMT_ERROR(cudaErrorTimeout, 909, "wait operation timed out")
KV_SIMT_ERROR(cudaErrorGraphExecUpdateFailure,
              910,
              "the graph update was not performed because it included changes which violated "
              "constraints specific to instantiated graph update")
KV_SIMT_ERROR(cudaErrorExternalDevice,
              911,
              "an async error has occured in external entity outside of CUDA")
KV_SIMT_ERROR(cudaErrorInvalidClusterSize,
              912,
              "a kernel launch error has occurred due to cluster misconfiguration")
KV_SIMT_ERROR(
    cudaErrorFunctionNotLoaded,
    913,
    "the function handle is not loaded when calling an API that requires a loaded function")
KV_SIMT_ERROR(cudaErrorInvalidResourceType,
              914,
              "one or more resources passed in are not valid resource types for the operation")
KV_SIMT_ERROR(cudaErrorInvalidResourceConfiguration,
              915,
              "one or more resources are insufficient or non-applicable for the operation")
KV_SIMT_ERROR(cudaErrorUnknown, 999, "unknown error")

#undef KV_SIMT_ERROR
