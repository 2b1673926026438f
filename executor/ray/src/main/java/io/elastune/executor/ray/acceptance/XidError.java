package io.elastune.executor.ray.acceptance;

import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * An error that NVIDIA's driver has written to the kernel's log.
 *
 * @param gpu the bus address of the GPU, such as {@code PCI:0000:00:1e}
 * @param code its number in NVIDIA's Xid catalog
 */
record XidError(String gpu, int code) {
  /**
   * The errors after which the GPU must be reset, or its machine restarted, according to the
   * immediate actions of NVIDIA's <a
   * href="https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html">Xid catalog</a>.
   * Those of programs, such as 13, 31, 43 and 45, are not among them. Neither are 63 and 94: the
   * pending rows and the ECC errors that they announce are queried.
   */
  private static final Map<Integer, String> HARDWARE =
      Map.ofEntries(
          Map.entry(46, "the GPU stopped processing"),
          Map.entry(48, "an uncorrectable ECC error"),
          Map.entry(62, "a halt of its microcontroller"),
          Map.entry(64, "a failed remapping of memory rows"),
          Map.entry(74, "an NVLink error"),
          Map.entry(79, "the GPU has fallen off the bus"),
          Map.entry(95, "an uncontained memory error"),
          Map.entry(109, "a time-out of a context switch"),
          Map.entry(110, "a security fault"),
          Map.entry(119, "a time-out of its system processor"),
          Map.entry(120, "an error of its system processor"),
          Map.entry(136, "an NVLink that could not be trained"),
          Map.entry(140, "an unrecoverable ECC error"),
          Map.entry(143, "a failed initialization of the GPU"),
          Map.entry(155, "an NVLink error"),
          Map.entry(156, "a retirement of resources"),
          Map.entry(158, "a fatal time-out"));

  static XidError of(JsonNode json) {
    return new XidError(json.path("gpu").asString(""), json.path("code").asInt(0));
  }

  /** Returns what the error means; empty if the GPU can be used without a reset. */
  Optional<String> finding() {
    return Optional.ofNullable(HARDWARE.get(code))
        .map(meaning -> "the kernel's log has Xid " + code + " of GPU " + gpu + ": " + meaning);
  }
}
