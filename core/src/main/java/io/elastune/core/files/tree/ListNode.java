package io.elastune.core.files.tree;

import java.util.List;

/** A list of values. */
public record ListNode(Place place, String path, List<Node> items) implements Node {
  public ListNode {
    items = List.copyOf(items);
  }

  @Override
  public String describe() {
    return "a list";
  }
}
