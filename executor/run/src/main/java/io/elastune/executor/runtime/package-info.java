/**
 * The runtime of a run: it journals each step of the decision core, executes its commands through
 * the {@code Cloud} and {@code Engine} interfaces, and delivers their events to the core. It is the
 * only part of the executor that reads a clock.
 */
@NullMarked
package io.elastune.executor.runtime;

import org.jspecify.annotations.NullMarked;
