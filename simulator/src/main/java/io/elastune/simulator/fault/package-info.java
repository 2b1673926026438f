/** When instances are lost and trials crash or hang: a clock for each of them. */
@NullMarked
package io.elastune.simulator.fault;

import org.jspecify.annotations.NullMarked;
