/** Planning the rest of a run anew: the core's questions answered by the planner. */
@NullMarked
package io.elastune.executor.replan;

import org.jspecify.annotations.NullMarked;
