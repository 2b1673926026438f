package io.elastune.cli.command;

import io.elastune.core.config.Overrides;
import io.elastune.core.config.OverridesBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Options that override which offers a job may rent. The parser of the job file validates their
 * values.
 */
final class ResourceOptions {
  @Mixin private GpuOption gpu = new GpuOption();
  @Mixin private MaxInstancesOption maxInstances = new MaxInstancesOption();

  @Option(
      names = "--market",
      order = 57,
      paramLabel = "MARKET",
      description = "Override the market: on-demand, spot or auto.")
  private Optional<String> market = Optional.empty();

  @Option(
      names = "--instance-types",
      order = 59,
      split = ",",
      paramLabel = "TYPE",
      description = "Override the allowed instance types, e.g. g5.xlarge,g5.12xlarge.")
  private List<String> instanceTypes = new ArrayList<>();

  @Option(
      names = "--wait-for-capacity",
      order = 62,
      paramLabel = "TIME",
      description =
          "Retry for this long if no capacity is available in any zone, e.g. 30m; counts toward the"
              + " deadline.")
  private Optional<String> waitForCapacity = Optional.empty();

  @Option(
      names = "--instances",
      order = 61,
      paramLabel = "N",
      description = "Use a fixed cluster of so many instances, held to the end.")
  private Optional<String> instances = Optional.empty();

  /** Returns a builder with these overrides. */
  OverridesBuilder overrides() {
    return Overrides.builder()
        .instanceTypes(instanceTypes)
        .gpus(gpu.models())
        .market(market)
        .maxInstances(maxInstances.number())
        .waitForCapacity(waitForCapacity)
        .instances(instances);
  }
}
