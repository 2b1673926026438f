/** Offers: what can be rented, with prices, billing terms and quotas. */
@NullMarked
package io.elastune.core.offer;

import org.jspecify.annotations.NullMarked;
