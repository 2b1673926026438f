/** The files that people write and keep: text in, checked records or all problems out. */
@NullMarked
package io.elastune.core.files;

import org.jspecify.annotations.NullMarked;
