package io.elastune.core.files.tree;

import java.util.List;

/** Values one after the other. */
public record ListNode(Place place, String path, List<Node> items) implements Node {
  public ListNode {
    items = List.copyOf(items);
  }

  @Override
  public String describe() {
    return "a list";
  }
}
