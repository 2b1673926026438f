package io.elastune.core.config.yaml;

/** A value in a file, with its source position and its path. */
public sealed interface YamlNode permits MapNode, ListNode, ScalarNode {
  SourcePosition place();

  /** Returns the path from the root, e.g. {@code offers[2].billing.per}; empty for the root. */
  String path();

  /** Returns the value for messages, e.g. {@code the string "64"}. */
  String describe();
}
