/** Plans of fixed clusters. */
@NullMarked
package io.elastune.planner.cluster;

import org.jspecify.annotations.NullMarked;
