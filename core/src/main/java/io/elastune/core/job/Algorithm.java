package io.elastune.core.job;

import io.elastune.core.field.Word;

/** The search algorithm of a job: how trials are chosen and stopped early. */
public enum Algorithm implements Word {
  SHA,
  HYPERBAND,
  ASHA,
  PBT,
  RANDOM,
  GRID
}
