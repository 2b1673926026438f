/** Properties that must hold of every job and plan, and the smallest ones of which they do not. */
@NullMarked
package io.elastune.core.properties;

import org.jspecify.annotations.NullMarked;
