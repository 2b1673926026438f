/**
 * Executes a plan: search algorithms, the pure decision core, placement, the engine interface, the
 * journal, and the simulated environment.
 */
@NullMarked
package io.elastune.executor;

import org.jspecify.annotations.NullMarked;
