/** Plans of searches whose chains share instances. */
@NullMarked
package io.elastune.planner.pool;

import org.jspecify.annotations.NullMarked;
