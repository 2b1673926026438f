/** What can be rented, at what terms. */
@NullMarked
package io.elastune.core.offer;

import org.jspecify.annotations.NullMarked;
