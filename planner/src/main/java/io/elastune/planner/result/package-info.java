/**
 * From sampled plans to the result of planning: baselines, the gap to the optimum, the frontier.
 */
@NullMarked
package io.elastune.planner.result;

import org.jspecify.annotations.NullMarked;
