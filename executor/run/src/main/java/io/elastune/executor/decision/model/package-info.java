/** The immutable state of a run, and the events, commands and decisions that change it. */
@NullMarked
package io.elastune.executor.decision.model;

import org.jspecify.annotations.NullMarked;
