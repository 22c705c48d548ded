;;; counterclaim.el --- Counterclaim with Eglot -*- lexical-binding: t; -*-

;; Put this file on the load path and (require 'counterclaim), or copy the lines below.
;; Needs Emacs 28 or newer with Eglot, and the `counterclaim' command on PATH.

;;; Code:

(require 'eglot)

(defgroup counterclaim nil
  "Counterclaim argues with your manuscript before the reviewers do."
  :group 'tex)

(defcustom counterclaim-command '("counterclaim" "lsp")
  "The command that starts the server."
  :type '(repeat string)
  :group 'counterclaim)

(add-to-list 'eglot-server-programs
             (cons '(latex-mode LaTeX-mode tex-mode plain-tex-mode bibtex-mode)
                   (lambda (&rest _) counterclaim-command)))

(dolist (hook '(latex-mode-hook LaTeX-mode-hook plain-tex-mode-hook bibtex-mode-hook))
  (add-hook hook #'eglot-ensure))

(defun counterclaim--execute (command)
  "Send COMMAND for this buffer to the server and show its answer."
  (eglot--signal-textDocument/didChange)
  (let ((answer (eglot-execute-command (eglot--current-server-or-lose) command
                                       (vector (list :uri (plist-get (eglot--TextDocumentIdentifier) :uri))))))
    (when-let ((text (plist-get answer :message)))
      (message "%s" text))))

(defun counterclaim-check ()
  "Read changed files from disk and check the whole project again."
  (interactive)
  (counterclaim--execute 'counterclaim.check))

(defun counterclaim-fix-all ()
  "Apply every safe fix of this file."
  (interactive)
  (counterclaim--execute 'counterclaim.fixAll))

(defun counterclaim-status ()
  "Show the root, the files and what is incomplete."
  (interactive)
  (counterclaim--execute 'counterclaim.status))

(provide 'counterclaim)
;;; counterclaim.el ends here
