package io.elastune.core.job;

import io.elastune.core.field.Word;

/** How the brackets of Hyperband use instances (docs/searches.md, "Brackets"). */
public enum Brackets implements Word {
  /**
   * Sequential with a sampler, shared on a fixed cluster (sequential under a policy that divides
   * it); otherwise the cheaper of separate and shared.
   */
  AUTO,
  /** Each bracket has its own instances. */
  SEPARATE,
  /** All brackets run concurrently on one pool of instances. */
  SHARED,
  /** One bracket after the other, on the same instances. */
  SEQUENTIAL
}
