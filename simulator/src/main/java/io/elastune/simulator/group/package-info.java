/**
 * Trial groups with barriers on instances of their own: the fast way to sample them, with and
 * without faults.
 */
@NullMarked
package io.elastune.simulator.group;

import org.jspecify.annotations.NullMarked;
