/** The connection to the nodes: frames, the bridge process, and requests that survive its end. */
@NullMarked
package io.elastune.executor.ray.link;

import org.jspecify.annotations.NullMarked;
