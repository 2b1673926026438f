/**
 * The decision core of a run: {@code (state, event) -> (state, commands)}. No clock, no thread, no
 * I/O, no randomness. Its parts are the scheduler, the cluster manager and the placement
 * controller.
 */
@NullMarked
package io.elastune.executor.decision;

import org.jspecify.annotations.NullMarked;
