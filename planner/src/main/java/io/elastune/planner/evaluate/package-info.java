/**
 * Evaluates candidates by simulation under the chance constraints, and improves the best of them by
 * local search (docs/planner.md, steps 5 and 6).
 */
@NullMarked
package io.elastune.planner.evaluate;

import org.jspecify.annotations.NullMarked;
