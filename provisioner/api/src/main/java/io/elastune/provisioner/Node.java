package io.elastune.provisioner;

import io.elastune.core.Preconditions;
import java.util.List;
import java.util.Objects;

/**
 * A ready instance as an engine sees it.
 *
 * @param address the address at which other workers reach it
 * @param slots one entry per GPU: its device number, or on {@code local} its cores as a list for
 *     {@code taskset -c}
 * @param devices {@code CUDA_VISIBLE_DEVICES} of each slot, where an empty text hides all GPUs; an
 *     empty list leaves the variable as it is
 */
public record Node(String address, List<String> slots, List<String> devices) {
  public Node {
    Preconditions.text("address", address);
    slots = List.copyOf(slots);
    devices = List.copyOf(Objects.requireNonNullElse(devices, List.of())); // of earlier versions
    Preconditions.that(
        devices.isEmpty() || devices.size() == slots.size(), "one device per slot is required");
  }

  /** Creates a node whose workers keep {@code CUDA_VISIBLE_DEVICES} as it is. */
  public Node(String address, List<String> slots) {
    this(address, slots, List.of());
  }
}
