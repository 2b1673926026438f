package io.elastune.core.offer;

import io.elastune.core.field.Word;

/** The market on which capacity is bought: on-demand or spot. */
public enum Market implements Word {
  ON_DEMAND,
  SPOT
}
