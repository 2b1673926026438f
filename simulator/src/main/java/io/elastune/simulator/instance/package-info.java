/**
 * The draws of a plan: of its trial groups and of the instances that it rents, with their prices.
 */
@NullMarked
package io.elastune.simulator.instance;

import org.jspecify.annotations.NullMarked;
