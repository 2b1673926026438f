/** A file as a tree of values, each of which knows its line; and back to text. */
@NullMarked
package io.elastune.core.files.tree;

import org.jspecify.annotations.NullMarked;
