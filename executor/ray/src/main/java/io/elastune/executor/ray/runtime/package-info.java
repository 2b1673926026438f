/**
 * The node runtime: an interpreter with Ray that is built once and used by the head, the bridge and
 * the nodes.
 */
@NullMarked
package io.elastune.executor.ray.runtime;

import org.jspecify.annotations.NullMarked;
