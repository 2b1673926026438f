package io.elastune.executor.ray.acceptance;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/**
 * What CUDA's driver library reports.
 *
 * @param found whether the library exists
 * @param timedOut whether a call did not return in time
 * @param count the number of GPUs
 * @param gpus the GPUs up to the one at which it did not continue
 * @param error why it lists no GPUs, or did not continue; empty without an error
 */
record CudaReport(
    boolean found, boolean timedOut, int count, List<CudaGpu> gpus, Optional<String> error) {
  static final CudaReport MISSING = new CudaReport(false, false, 0, List.of(), Optional.empty());

  /**
   * One GPU.
   *
   * @param error why no context can be created, or a copy failed; empty without an error
   * @param copyGbPerS the GB per second of a copy within its memory; empty if it was not measured
   */
  record CudaGpu(String name, Optional<String> error, OptionalDouble copyGbPerS) {
    static CudaGpu of(JsonNode json) {
      JsonNode speed = json.path("gb_per_s");
      return new CudaGpu(
          json.path("name").asString(""),
          text(json.path("error")),
          speed.isNumber() ? OptionalDouble.of(speed.asDouble()) : OptionalDouble.empty());
    }
  }

  CudaReport {
    gpus = List.copyOf(gpus);
  }

  static CudaReport of(JsonNode json) {
    List<CudaGpu> gpus = new ArrayList<>();
    json.path("gpus").forEach(gpu -> gpus.add(CudaGpu.of(gpu)));
    return new CudaReport(
        json.path("found").asBoolean(false),
        json.path("timed_out").asBoolean(false),
        json.path("count").asInt(0),
        gpus,
        text(json.path("error")));
  }

  private static Optional<String> text(JsonNode json) {
    return Optional.of(json.asString("")).filter(text -> !text.isEmpty());
  }

  /** Returns the speed of the slowest GPU; empty if none was measured. */
  OptionalDouble slowestCopy() {
    return gpus.stream().flatMapToDouble(gpu -> gpu.copyGbPerS().stream()).min();
  }
}
