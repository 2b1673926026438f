/** Re-planning of a run: answers the requests of the decision core with the planner. */
@NullMarked
package io.elastune.executor.replan;

import org.jspecify.annotations.NullMarked;
