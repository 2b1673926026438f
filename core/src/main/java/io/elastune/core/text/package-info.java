/** Text from outside: which characters are shown, and how the others are written. */
@NullMarked
package io.elastune.core.text;

import org.jspecify.annotations.NullMarked;
