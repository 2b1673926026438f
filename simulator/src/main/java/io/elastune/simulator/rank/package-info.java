/**
 * Which trials are best: drawn ranks, recorded learning curves, and the targets that they reach.
 */
@NullMarked
package io.elastune.simulator.rank;

import org.jspecify.annotations.NullMarked;
