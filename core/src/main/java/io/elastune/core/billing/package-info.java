/** From a lease to money: the one place that knows how rented time is billed. */
@NullMarked
package io.elastune.core.billing;

import org.jspecify.annotations.NullMarked;
