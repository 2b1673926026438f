/** The completed execution graph, and the order of traced events. */
@NullMarked
package io.elastune.simulator.graph;

import org.jspecify.annotations.NullMarked;
