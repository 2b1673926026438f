package io.elastune.core.config.yaml;

import java.util.List;

/** A list of values. */
public record ListNode(SourcePosition place, String path, List<YamlNode> items)
    implements YamlNode {
  public ListNode {
    items = List.copyOf(items);
  }

  @Override
  public String describe() {
    return "a list";
  }
}
