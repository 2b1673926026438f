/** Trial groups, chains, allocations and plans, and the problem that a plan solves. */
@NullMarked
package io.elastune.core.plan;

import org.jspecify.annotations.NullMarked;
