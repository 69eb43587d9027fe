"""Which modules are the release's own files. A release that lacks one of them needs it no more."""

REAL = frozenset("""
vllm.config
vllm.config.cache
vllm.config.ec_manager_config
vllm.config.ec_transfer
vllm.config.kv_events
vllm.config.kv_transfer
vllm.config.observability
vllm.config.parallel
vllm.config.scheduler
vllm.config.speculative
vllm.config.structured_outputs
vllm.config.utils
vllm.config.vllm
vllm.distributed.kv_events
vllm.envs
vllm.exceptions
vllm.lora.request
vllm.multimodal.inputs
vllm.multimodal.utils
vllm.outputs
vllm.pooling_params
vllm.sampling_params
vllm.utils
vllm.utils.collection_utils
vllm.utils.hashing
vllm.utils.import_utils
vllm.utils.jsontree
vllm.utils.math_utils
vllm.utils.mem_constants
vllm.v1.core.block_pool
vllm.v1.core.encoder_cache_manager
vllm.v1.core.kv_cache_config_builder
vllm.v1.core.kv_cache_coordinator
vllm.v1.core.kv_cache_manager
vllm.v1.core.kv_cache_metrics
vllm.v1.core.kv_cache_planning
vllm.v1.core.kv_cache_utils
vllm.v1.core.sched.async_scheduler
vllm.v1.core.sched.diffusion_scheduler
vllm.v1.core.sched.interface
vllm.v1.core.sched.output
vllm.v1.core.sched.request_queue
vllm.v1.core.sched.scheduler
vllm.v1.core.sched.utils
vllm.v1.core.single_type_kv_cache_manager
vllm.v1.engine
vllm.v1.hisparse.block_pool
vllm.v1.hisparse.coordinator
vllm.v1.hisparse.layout
vllm.v1.hisparse.types
vllm.v1.kv_cache_interface
vllm.v1.kv_cache_layout
vllm.v1.kv_cache_spec_registry
vllm.v1.kv_hints
vllm.v1.kv_hints.protocol
vllm.v1.metrics.cache_hit_source
vllm.v1.metrics.stats
vllm.v1.outputs
vllm.v1.request
vllm.v1.spec_decode.dynamic.utils
vllm.v1.spec_decode.metrics
vllm.v1.structured_output
vllm.v1.structured_output.backend_types
vllm.v1.structured_output.request
vllm.v1.structured_output.utils
vllm.v1.utils
""".split())

# Packages that vLLM imports: never the installed ones, so that a run is the same everywhere.
FOREIGN = frozenset("""
PIL cachetools cbor2 cloudpickle msgspec numpy pandas prometheus_client psutil pydantic
pydantic_core regex torch transformers uvloop zmq
""".split())

# Classes that look at models, devices or drivers when an object is made. The names of those whose
# fields and methods are used without that.
NO_POST_INIT = {"vllm.config.vllm": "VllmConfig"}
