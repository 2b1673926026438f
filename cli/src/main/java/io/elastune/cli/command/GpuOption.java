package io.elastune.cli.command;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option {@code --gpu} of the commands that rent or plan. */
final class GpuOption {
  @Option(
      names = "--gpu",
      order = 58,
      split = ",",
      paramLabel = "MODEL",
      description = "Override the allowed GPU models, e.g. A10G,L4.")
  private List<String> models = new ArrayList<>();

  /** Returns the models; empty for those of the job. */
  List<String> models() {
    return models;
  }
}
