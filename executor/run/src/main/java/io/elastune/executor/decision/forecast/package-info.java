/** What a run has cost, and what the rest of it will take and cost. */
@NullMarked
package io.elastune.executor.decision.forecast;

import org.jspecify.annotations.NullMarked;
