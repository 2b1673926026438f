package io.elastune.executor.ray.acceptance;

import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a node, or a container on it, reports about its GPUs.
 *
 * @param smi what {@code nvidia-smi} reports
 * @param cuda what CUDA reports; empty in an image without Python 3.6
 * @param devices the number of device files in an image that has neither
 * @param health the records of errors
 */
record GpuReport(SmiReport smi, Optional<CudaReport> cuda, int devices, GpuHealth health) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String SMI = "smi ";
  private static final String DEVICES = "devices ";

  /** Parses the output of {@link AcceptanceCommand}; empty if it is none. */
  static Optional<GpuReport> parse(String output) {
    String text = output.strip();
    try {
      if (text.startsWith("{")) {
        JsonNode json = JSON.readTree(text);
        CudaReport cuda = CudaReport.of(json.path("cuda"));
        return Optional.of(
            new GpuReport(
                SmiReport.of(json.path("smi")),
                Optional.of(cuda),
                0,
                GpuHealth.of(json.path("health"))));
      }
      List<String> first = text.lines().limit(1).toList();
      if (text.startsWith(SMI)) {
        int exit = Integer.parseInt(first.get(0).substring(SMI.length()));
        String rest = text.substring(first.get(0).length()).strip();
        return Optional.of(
            new GpuReport(
                new SmiReport(true, false, exit, rest), Optional.empty(), 0, GpuHealth.UNKNOWN));
      }
      if (text.startsWith(DEVICES)) {
        int devices = Integer.parseInt(first.get(0).substring(DEVICES.length()));
        return Optional.of(
            new GpuReport(SmiReport.MISSING, Optional.empty(), devices, GpuHealth.UNKNOWN));
      }
      return Optional.empty();
    } catch (JacksonException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Returns the number of GPUs. */
  int count() {
    return smi.isList()
        ? smi.lines().size()
        : cuda.filter(CudaReport::found).map(CudaReport::count).orElse(devices);
  }

  /** Returns the names of the GPUs, as far as they are known. */
  List<String> names() {
    return smi.isList()
        ? smi.lines()
        : cuda.map(CudaReport::gpus).orElse(List.of()).stream()
            .map(CudaReport.CudaGpu::name)
            .filter(name -> !name.isEmpty())
            .toList();
  }

  /**
   * Returns the number of GPUs that a program with the variables of the lease can use: CUDA obeys
   * them, and {@code nvidia-smi} does not.
   */
  int usable() {
    return cuda.filter(found -> found.found() && found.error().isEmpty())
        .map(CudaReport::count)
        .orElseGet(this::count);
  }

  /** Returns the names of the GPUs that a program with the variables of the lease can use. */
  List<String> usableNames() {
    List<String> named =
        cuda.map(CudaReport::gpus).orElse(List.of()).stream()
            .map(CudaReport.CudaGpu::name)
            .filter(name -> !name.isEmpty())
            .toList();
    return named.isEmpty() ? names() : named;
  }

  /** Returns whether neither a program nor a library of the driver, nor a GPU was found. */
  boolean isWithoutDriver() {
    return !smi.found() && cuda.filter(CudaReport::found).isEmpty() && devices == 0;
  }
}
