/**
 * Carries a plan out: search algorithms, the pure decision core, placement, the door to engines,
 * the journal, and the simulated world.
 */
@NullMarked
package io.elastune.executor;

import org.jspecify.annotations.NullMarked;
