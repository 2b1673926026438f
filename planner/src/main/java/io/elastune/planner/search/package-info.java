/**
 * The searches for plans of one chain: static plans, greedy descents, beam search and exact
 * label-setting, with their bounds (docs/planner.md, step 3).
 */
@NullMarked
package io.elastune.planner.search;

import org.jspecify.annotations.NullMarked;
