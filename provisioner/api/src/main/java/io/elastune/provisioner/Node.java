package io.elastune.provisioner;

import io.elastune.core.Preconditions;
import java.util.List;

/**
 * A ready instance as an engine sees it.
 *
 * @param address the address at which other workers reach it
 * @param slots one entry per GPU: its device number, or on {@code local} its cores as a list for
 *     {@code taskset -c}
 */
public record Node(String address, List<String> slots) {
  public Node {
    Preconditions.text("address", address);
    slots = List.copyOf(slots);
  }
}
