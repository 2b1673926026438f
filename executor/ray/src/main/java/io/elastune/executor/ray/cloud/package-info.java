/** The nodes of the user's own Ray clusters as instances: offers, leases, checks. */
@NullMarked
package io.elastune.executor.ray.cloud;

import org.jspecify.annotations.NullMarked;
