package io.elastune.core.policy;

import io.elastune.core.field.Word;

/** The policy that divides a fixed cluster among the trials. */
public enum PolicyType implements Word {
  LIST,
  FLUID,
  HERMES,
  HYPERSCHED
}
